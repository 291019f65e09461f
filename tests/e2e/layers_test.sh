#!/usr/bin/env bash
# layers.py finds what it is there for: an image with one of each mistake, and one without any.
# usage: layers_test.sh BASE_IMAGE   a Debian one; DOCKER_HOST and DOCKER as engine.sh prints them
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"

base=${1:?usage: layers_test.sh BASE_IMAGE}
docker=${DOCKER:-docker}
image=envgen-layers:test
bad=0
work=$(mktemp -d)
trap '"$docker" rmi "$image" >/dev/null 2>&1 || true; rm -rf --one-file-system "$work"' EXIT
echo "the text that no layer may have" >"$work/secret"

# expect STATUS EXPECTED OPTION...: builds the steps on standard input; what is said of them, without the closing line.
expect() {
  local status=$1 expected=$2 got=0 out
  { echo "FROM $base" && cat; } >"$work/Dockerfile"
  DOCKER_BUILDKIT=0 "$docker" build --quiet --network none --tag "$image" "$work" >/dev/null
  out=$(tests/e2e/layers.py "${@:3}" --never "$work/secret" "$image") || got=$?
  out=$(sed '$d' <<<"$out")
  if [[ "$got" != "$status" || "$out" != "$expected" ]]; then
    printf 'expected status %s and:\n%s\ngot status %s and:\n%s\n' "$status" "$expected" "$got" "$out"
    bad=1
  fi
}

zlib=$("$docker" run --rm --network none "$base" find /usr/lib -type f -name 'libz.so.1.*')
expect 1 "layer 1: root/.cache/pip/index: a cache or a left-over of 2 bytes
layer 1: tmp/object.o: a cache or a left-over of 2 bytes
layer 1: var/lib/apt/lists/mirror_Packages: a cache or a left-over of 2 bytes
layer 2: etc/debconf.conf: rewrites what layer 0 has
layer 2: etc/issue: deletes what layer 0 has
layer 2: etc/skel/.bashrc: deletes what layer 0 has
layer 3: opt/secret: has the text of $work/secret
layer 5: opt/libz.so.1: rewrites what layer 4 has
layer 5: opt/secret: deletes what layer 3 has
libz.so.1 is there 3 times: ${zlib#/} (layer 0), opt/libz.so.1 (layer 4), opt/libz.so.1 (layer 5)" <<'END'
RUN mkdir -p /root/.cache/pip && for file in /root/.cache/pip/index /tmp/object.o /var/lib/apt/lists/mirror_Packages; do echo x >$file; done
RUN chmod 600 /etc/debconf.conf && rm /etc/issue /etc/skel/.bashrc
COPY secret /opt/secret
RUN cp /usr/lib/*/libz.so.1 /opt/libz.so.1
RUN chmod 700 /opt/libz.so.1 && rm /opt/secret
END
expect 0 "" --allow libz.so.1 <<'END'
RUN useradd --create-home somebody && ldconfig && cp /usr/lib/*/libz.so.1 /opt/libz.so.1
END
exit "$bad"
