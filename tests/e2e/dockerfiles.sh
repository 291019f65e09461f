#!/usr/bin/env bash
# The Dockerfiles that envgen makes, built for real by a Docker engine from a base that mmdebstrap makes, with a CPU torch, or, where only the
# builder and the index matter (classic, login), with a stand-in for it: by BuildKit and by the classic builder; from the mirror of Debian that
# apt here uses; what the image holds twice or should not hold; who owns what a container writes.
# usage: dockerfiles.sh [CASE...]    pip, classic, uv, devel, frozen, login, compat, services, layers; all where none is named
# $ENVGEN is the tool (default: build/release/src/envgen). Exit status 77: no engine, or no CPU torch, can be had here.
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

here=tests/e2e
envgen=${ENVGEN:-build/release/src/envgen}
cases=("$@")
((${#cases[@]})) || cases=(pip classic uv devel frozen login compat services layers)

engine=$("$here/engine.sh") || exit
set -a && eval "$engine" && set +a
base="envgen-test/debian:12-slim"
taken="envgen-test/taken:12-slim"
"$here/base_image.sh" bookworm "$base"
mirror=$("$here/apt_mirror.sh") || exit
work=$(mktemp -d)
trap 'stop_servers; rm -rf --one-file-system "$work"; "$here/engine.sh" stop' EXIT
# shellcheck source=tests/e2e/index.sh
source "$here/index.sh"

# shellcheck source=tests/e2e/images.sh
source tests/e2e/images.sh
# shellcheck source=tests/e2e/must.sh
source tests/e2e/must.sh

# A proxy that answers nobody, beside the hosts that need none: what is built with it must not know it.
proxy=http://someone:of-the-proxy@proxy.invalid:3128
direct=$(printf '%s,%s' "$mirror" "$index" | sed -E 's#https?://([^/:,]+)[^,]*#\1#g')

# freeze PROJECT REQUEST...: a lock beside it whose tree uv found in the local index.
freeze() {
  printf '{"outputs": {"torch_mirror": "%s"}}' "${index%/}" >"$1"
  python3 -m pip install --quiet --index-url "$index" --target "$work/uv" uv
  PATH=$work/uv/bin:$PATH UV_DEFAULT_INDEX=$index UV_NO_CONFIG=1 "$envgen" lock --project "$1" "${@:2}" --freeze
}

# A file of certificates that is known again wherever it is.
{
  cat /etc/ssl/certs/ca-certificates.crt
  echo "# certificates of $$"
} >"$work/certificates.pem"

# An index that asks who one is. The password has no other meaning anywhere.
password=of-the-index-$$
stand_in_wheels
start_index "$work/stand-in-index" "$work/stand-in"
start_index "$work/with-login" "$work/stand-in" "someone:$password"
stand_in_index=$(head -n 1 "$work/stand-in-index")
with_login=$(head -n 1 "$work/with-login")
printf 'machine 127.0.0.1 login someone password %s\n' "$password" >"$work/netrc"

# build NAME RENDER_OPTION...: renders into a folder and builds the image envgen-test:NAME as uid 1234.
build() {
  local name=$1 buildkit=1 from=$base ids=(--build-arg USER_UID=1234 --build-arg USER_GID=1234) secret=() index=$index
  if [[ "$name" == classic ]]; then buildkit=0 from=$taken ids=() index=$stand_in_index; fi
  if [[ "$name" == uv ]]; then secret=(--secret "id=ca-cert,src=$work/certificates.pem"); fi
  if [[ "$name" == login ]]; then secret=(--secret "id=netrc,src=$work/netrc") index=$with_login; fi
  local request=(--torch 2.13 --cuda cpu --os debian12 "${@:2}")
  if [[ "$name" == frozen ]]; then
    freeze "$work/envgen.json" "${request[@]}"
    request=(--lock "$work/envgen.lock")
  fi
  drop_image "envgen-test:$name"
  "$envgen" render dockerfile "${request[@]}" --base-image "$from" --apt-mirror "$mirror" -o "$work/$name/" >/dev/null
  DOCKER_BUILDKIT=$buildkit "$DOCKER" build --network host --tag "envgen-test:$name" \
    --build-arg "PIP_INDEX_URL=$index" --build-arg "UV_DEFAULT_INDEX=$index" --build-arg "TORCH_INDEX_URL=$index" \
    --build-arg "http_proxy=$proxy" --build-arg "https_proxy=$proxy" --build-arg "no_proxy=$direct" "${ids[@]}" "${secret[@]}" "$work/$name"
}

# drops_compat: the line that takes cuda-compat out of an image, as envgen writes it, on a base that has such a package and on one that has none.
drops_compat() {
  local folder=$work/compat
  mkdir -p "$folder/package/DEBIAN" "$folder/package/usr/local/cuda-12.4/compat"
  printf 'Package: cuda-compat-12-4\nVersion: 550.54.14-1\nArchitecture: all\nMaintainer: a double <nobody@example.org>\nDescription: a double of cuda-compat\n' \
    >"$folder/package/DEBIAN/control"
  touch "$folder/package/usr/local/cuda-12.4/compat/libcuda.so.1"
  dpkg-deb --build "$folder/package" "$folder/compat.deb" >/dev/null
  "$envgen" render dockerfile --torch 2.6 --cuda 12.4 --base cuda --gpu 4090 -o "$folder/rendered/" >/dev/null
  {
    printf 'FROM %s\nSHELL ["/bin/bash", "-o", "pipefail", "-c"]\nCOPY compat.deb /root/\n' "$base"
    sed -n '/^RUN { dpkg-query/,/purge --yes$/p' "$folder/rendered/Dockerfile"
    echo 'RUN dpkg --install /root/compat.deb && [[ -e /usr/local/cuda-12.4/compat/libcuda.so.1 ]]'
    sed -n '/^RUN { dpkg-query/,/purge --yes$/p' "$folder/rendered/Dockerfile"
    echo 'RUN [[ ! -e /usr/local/cuda-12.4/compat ]] && ! dpkg-query --status cuda-compat-12-4'
  } >"$folder/Dockerfile"
  (($(grep -c 'apt-get purge' "$folder/Dockerfile") == 2)) && DOCKER_BUILDKIT=1 "$DOCKER" build --network none --quiet "$folder"
}

# brings_compat: the line that fetches cuda-compat from nvidia/cuda, as envgen writes it, with a double of that image, by both builders.
brings_compat() {
  local folder=$work/brings source buildkit
  "$envgen" render dockerfile --torch 2.9 --cuda 12.8 --driver 470.57.02 --gpu A100 -o "$folder/rendered/" >/dev/null
  source=$(sed -n 's/^COPY --from=\([^ ]*\) .*/\1/p' "$folder/rendered/Dockerfile")
  [[ "$source" == nvidia/cuda:12.8.* ]] || return 1
  printf 'FROM %s\nRUN mkdir --parents /usr/local/cuda-12.8/compat && echo a double >/usr/local/cuda-12.8/compat/libcuda.so.1\n' "$base" |
    DOCKER_BUILDKIT=1 "$DOCKER" build --network none --quiet --tag "$source" - || return 1
  {
    printf 'FROM %s\n' "$base"
    grep '^COPY --from=' "$folder/rendered/Dockerfile"
    echo 'RUN grep --line-regexp "a double" /usr/local/cuda/compat/libcuda.so.1'
  } >"$folder/Dockerfile"
  for buildkit in 1 0; do
    DOCKER_BUILDKIT=$buildkit "$DOCKER" build --network none --quiet --file "$folder/Dockerfile" "$folder" || return 1
  done
  drop_image "$source"
}

# without_proxy NAME: neither its configuration nor its history tells of the proxy.
without_proxy() { tells_nothing_of "${proxy#http://}" "envgen-test:$1"; }

# without_password: the history, which tells of the index, does not tell the password, nor is it in a layer, plain or as HTTP has it.
without_password() {
  local coded
  coded=$(printf 'someone:%s' "$password" | base64)
  "$DOCKER" history --no-trunc envgen-test:login >"$work/history" && "$DOCKER" image inspect envgen-test:login >>"$work/history" &&
    grep -qF "$with_login" "$work/history" && "$DOCKER" save envgen-test:login >"$work/saved" || return 1
  ! grep -aF -e "$password" -e "$coded" "$work/history" "$work/saved"
}

# refuses_password NAME WORD...: a password in a build argument ends the build of that folder, in these words, and is in no image.
refuses_password() {
  local name=$1 argument buildkit=1
  [[ "$name" != classic ]] || buildkit=0
  for argument in PIP_INDEX_URL UV_DEFAULT_INDEX; do
    if [[ "$name" == classic && "$argument" == UV_DEFAULT_INDEX ]]; then continue; fi
    ! DOCKER_BUILDKIT=$buildkit "$DOCKER" build --network host --tag envgen-test:refused --build-arg "$argument=${with_login/:\/\//:\/\/someone:$password@}" \
      --build-arg "no_proxy=$direct" "$work/$name" >"$work/refusal" 2>&1 || return 1
    grep -F "error: a password in an index URL would stay in 'docker history', $2" "$work/refusal" || return 1
    ! "$DOCKER" image inspect envgen-test:refused >/dev/null 2>&1 || return 1
  done
}

inside() { "$DOCKER" run --rm --network none "envgen-test:$1" bash -c "$2"; }

for case in "${cases[@]}"; do
  options=() uid=1234 from=$base
  layers=(--allow libz.so.1 --allow libgomp.so.1) # private copies in the wheels of torchvision and torch; the second is the compiler's too
  torch='import torch; assert torch.__version__.startswith("2.13.0") and torch.ones(2).sum() == 2'
  case $case in
    pip | frozen) ;;
    login) options=(--installer uv) torch=${torch% and *} ;; # uv, which pip brings, so both are asked
    classic) # and uid and gid 1000 are those of a user who is not ours, as in ubuntu:24.04
      options=(--legacy-builder --variant devel)
      uid=1000 from=$taken torch=${torch% and *}
      "$here/base_image.sh" --taken ubuntu bookworm "$taken"
      ;;
    uv)
      options=(--installer uv --ca-cert certificates.pem)
      layers+=(--never "$work/certificates.pem")
      ;;
    compat)
      must "the purge of cuda-compat" drops_compat
      must "the copy of cuda-compat" brings_compat
      continue
      ;;
    devel)
      options=(--variant devel)
      ;;
    services) options=(--variant devel --multi-stage --jupyter --ssh) ;;
    layers) # what looks at the layers finds what it is there for
      must "the test of layers.py" "$here/layers_test.sh" "$base"
      continue
      ;;
    *) die "there is no case $case" ;;
  esac
  began=$SECONDS
  must "the build of $case" build "$case" "${options[@]}"
  if "$good"; then
    must "torch in $case" inside "$case" "python -c '$torch'"
    must "the user of $case" "$here/container_user.sh" "envgen-test:$case" "$uid"
    # shellcheck disable=SC2016  # expanded in the container
    must "more packages in $case" inside "$case" 'touch "$VIRTUAL_ENV/lib/python3.11/site-packages/mine.py" && python -c "import mine"'
    must "no proxy in $case" without_proxy "$case"
    case $case in
      login)
        must "no password in $case" without_password
        must "a password in an argument" refuses_password login "so remove it and build with --secret id=netrc"
        ;;
      classic) must "a password in an argument of the classic builder" refuses_password classic "and the legacy builder has no secrets" ;;
    esac
    must "the layers of $case" python3 "$here/layers.py" --base "$from" "${layers[@]}" "envgen-test:$case"
  fi
  if [[ "$case" == services ]] && "$good"; then
    must "the services of $case" "$here/services.sh" "envgen-test:$case"
  fi
  say "$case: $((SECONDS - began)) s"
done
book
