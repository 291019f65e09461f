if [ -z "${ENVGEN_RELEASES_URL:-}" ] || [ -z "${ENVGEN_VERSION:-}" ] || [ -z "${ENVGEN_SHA256:-}" ]; then
  echo "error: set all of ENVGEN_RELEASES_URL (where envgen's releases are), ENVGEN_VERSION and ENVGEN_SHA256 (the SHA-256 of that release's tarball): as CI variables of this project, with 'envgen render ci --envgen-url ... --envgen-version ... --envgen-sha256 ...', or as inputs of the action or component" >&2
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
  echo "error: ENVGEN_SHA256 is not a SHA-256 (64 hexadecimal digits, lower case)" >&2
  exit 1
fi
