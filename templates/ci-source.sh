if [ -z "${ENVGEN_SOURCE:-}" ] || [ -z "${ENVGEN_REF:-}" ]; then
  echo "error: ENVGEN_SOURCE (the URL of envgen's repository) and ENVGEN_REF (a tag or commit in it) are not both set: set them as variables of this project's CI, or with --envgen-source and --envgen-ref of 'envgen render ci'" >&2
  exit 1
fi
case $ENVGEN_REF in
  [!A-Za-z0-9]* | *[!A-Za-z0-9._-]*)
    echo "error: ENVGEN_REF is neither a tag without slashes nor a commit" >&2
    exit 1
    ;;
esac
