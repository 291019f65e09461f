if [ -z "${ENVGEN_RELEASES_URL:-}" ] || [ -z "${ENVGEN_VERSION:-}" ] || [ -z "${ENVGEN_SHA256:-}" ]; then
  echo "error: ENVGEN_RELEASES_URL (the address of envgen's releases), ENVGEN_VERSION and ENVGEN_SHA256 (of that release's tarball) are not all set: set them as variables of this project's CI, with --envgen-url, --envgen-version and --envgen-sha256 of 'envgen render ci', or as inputs of the action or component" >&2
  exit 1
fi
case $ENVGEN_VERSION in
  [!0-9]* | *[!0-9A-Za-z.+-]*)
    echo "error: ENVGEN_VERSION is not a release such as 1.0.0" >&2
    exit 1
    ;;
esac
case $ENVGEN_SHA256 in
  *[!0-9a-f]*) digits=0 ;;
  *) digits=${#ENVGEN_SHA256} ;;
esac
if [ "$digits" -ne 64 ]; then
  echo "error: ENVGEN_SHA256 is not a SHA-256 of 64 digits (0-9, a-f)" >&2
  exit 1
fi
