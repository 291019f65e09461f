#!/usr/bin/env bash
# The runtime image for torch 2.3.1 from the package index (about 2.5 GB), behind a network that may intercept TLS: its Dockerfile is built
# with --ca-cert for real, and what is inside is compared with the lock. What came of it is kept in tests/e2e/results.
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no engine, or no base image, can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

here=tests/e2e
envgen=${ENVGEN:-build/release/src/envgen}
engine=$("$here/engine.sh") || exit
set -a && eval "$engine" && set +a
base="envgen-test/debian:12-slim"
"$here/base_image.sh" bookworm "$base"
mirror=$("$here/apt_mirror.sh") || exit
work=$(mktemp -d)
trap 'rm -rf "$work"; "$here/engine.sh" stop' EXIT
# shellcheck source=tests/e2e/images.sh
source tests/e2e/images.sh
# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh

"$envgen" lock --torch 2.3.1 --cuda 12.1 --os debian12 -o "$work/envgen.lock" >/dev/null
"$envgen" render dockerfile --lock "$work/envgen.lock" --base-image "$base" --apt-mirror "$mirror" --ca-cert /etc/ssl/certs/ca-certificates.crt -o "$work/" >/dev/null
began=$SECONDS
drop_image envgen-test:torch2.3.1
must "the build" env DOCKER_BUILDKIT=1 "$DOCKER" build --network host --tag envgen-test:torch2.3.1 \
  --secret id=ca-cert,src=/etc/ssl/certs/ca-certificates.crt "$work"
took=$((SECONDS - began))

# What the image says of itself, and the lock of it, in the same words.
cat >"$work/inside.py" <<'PY'
import json, platform, torch
print(json.dumps({"torch": torch.__version__.partition("+")[0], "cuda": torch.version.cuda, "cudnn": torch.backends.cudnn.version(),
                  "nccl": ".".join(map(str, torch.cuda.nccl.version())), "python": ".".join(platform.python_version_tuple()[:2]),
                  "archs": sorted(torch._C._cuda_getArchFlags().split())}))
PY
cat >"$work/locked.py" <<'PY'
import json, sys
all_of = json.load(open(sys.argv[1]))["environment"]
torch, cudnn = all_of["torch"], [int(part) for part in all_of["cudnn"]["version"].split(".")]
scale = 1000 if cudnn[0] < 9 else 10000
print(json.dumps({"torch": torch["version"], "cuda": torch["cuda"], "cudnn": cudnn[0] * scale + cudnn[1] * 100 + cudnn[2], "nccl": torch["nccl"],
                  "python": all_of["python"],
                  "archs": sorted(["sm_" + arch.replace(".", "") for arch in torch["archs"]] + ["compute_" + arch.replace(".", "") for arch in torch["ptx"]])}))
PY
"$DOCKER" run --rm --network none --volume "$work/inside.py:/tmp/inside.py:ro" envgen-test:torch2.3.1 python /tmp/inside.py >"$work/inside" || true
python3 "$work/locked.py" "$work/envgen.lock" >"$work/locked"
must "what is inside is what is locked" diff "$work/locked" "$work/inside"
must "no certificate in it" "$DOCKER" run --rm --network none envgen-test:torch2.3.1 bash -c '[[ ! -e /run/secrets/ca-cert.pem ]]'
must "its user" "$here/container_user.sh" envgen-test:torch2.3.1 1000
must "its layers" python3 "$here/layers.py" --base "$base" --allow libz.so.1 --allow libcudart.so.12 envgen-test:torch2.3.1 # copies in torchvision's wheel
{
  echo "# tests/e2e/real_torch.sh, $(date -u +%F): docker build of the runtime image for torch 2.3.1, CUDA 12.1, debian12, from the package index"
  echo "build: $took s; image: $("$DOCKER" image inspect --format '{{.Size}}' envgen-test:torch2.3.1) bytes"
  echo "locked: $(cat "$work/locked")"
  echo "inside: $(cat "$work/inside")"
} >"$here/results/$(date -u +%F)-torch2.3.1.txt"
book
