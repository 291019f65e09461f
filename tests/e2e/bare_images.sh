# shellcheck shell=bash
# Sourced by tests of `envgen validate` after report.sh and images.sh: images that lack what most have. $base is an image, $ENGINE its engine (default: docker).

# A root that holds a glibc and nothing else, and one that holds nothing at all.
# shellcheck disable=SC2154  # base is the caller's
bare_images() {
  drop_image envgen-test/bare || return
  drop_image envgen-test/empty || return
  "${ENGINE:-docker}" build --quiet --network none --tag envgen-test/bare - >/dev/null <<END || return
FROM $base AS base
FROM scratch
COPY --from=base /lib64 /lib64
COPY --from=base /lib /lib
COPY --from=base /usr/lib /usr/lib
USER 1234
END
  tar --create --files-from=/dev/null | "${ENGINE:-docker}" import - envgen-test/empty >/dev/null
}
without_shell() { report 0 envgen-test/bare && says bench pass && says python skip "no Python" && says user pass && says mount-owner pass 1234; }
without_anything() { report 5 envgen-test/empty && says bench fail "does not run in the image" && says removed pass; }
