# shellcheck shell=bash
# Sourced by validate.sh: images that lie about themselves, and what finds them out. $work, $base and report.sh are the caller's.
# shellcheck disable=SC2154  # those

# shellcheck disable=SC2154  # both are the caller's

# image_of NAME < DOCKERFILE: of the files in $work/image.
image_of() {
  drop_image "envgen-test/$1"
  docker build --quiet --network none --tag "envgen-test/$1" --file - "$work/image" >/dev/null
}

# python_double MEMBERS: a script in place of Python, which brings back the nonce and says what the members say.
python_double() {
  mkdir -p "$work/image"
  cat >"$work/image/python" <<END
#!/bin/sh
cat <<JSON
{"nonce": "\$3", "python": "3.12.3", "library": "/usr/lib/python3.12/os.py", "error": "", $1}
JSON
END
  chmod 755 "$work/image/python"
}

# torch_files CUDA: a Python's library and a torch 2.6.0, as far as a walk sees them.
torch_files() {
  cat <<END
RUN mkdir -p /usr/lib/python3.12 /opt/site/torch/lib && touch /usr/lib/python3.12/os.py /opt/site/torch/lib/libtorch_cuda.so && \
  printf "__version__ = '2.6.0'\ncuda = '$1'\n" >/opt/site/torch/version.py
END
}

a_script_that_says_torch() {
  mkdir -p "$work/image"
  printf '%s\n' '#!/bin/sh' 'echo "{\"python\": \"3.12.3\", \"framework\": \"torch\", \"error\": \"\", \"version\": \"2.6.0\", \"cuda\": \"12.4\", \"cudnn\": 90100}"' >"$work/image/python"
  chmod 755 "$work/image/python"
  image_of liar <<END || return
FROM $base
COPY python /usr/bin/python
END
  report 5 envgen-test/liar --torch 2.6 --cuda 12.4 && says python fail "does not return the nonce"
}

a_script_that_knows_the_nonce() {
  python_double '"framework": "torch", "version": "2.6.0", "cuda": "12.4", "cudnn": 90100, "file": "/opt/site/torch/__init__.py"'
  image_of liar <<END || return
FROM $base
COPY python /usr/bin/python
END
  report 5 envgen-test/liar --torch 2.6 --cuda 12.4 && says self-report fail "there is no /opt/site/torch/version.py" &&
    says framework unknown "the files contradict this" && diagnosed self-report python-contradicted
}

# A library that speaks in place of envgen-bench, with the nonce of its command line.
forging_library() {
  mkdir -p "$work/image"
  cc -shared -fPIC -O1 -o "$work/image/forge.so" -x c - <<'END'
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
static void say(const char* text) { if (write(1, text, strlen(text)) < 0) _exit(1); }
__attribute__((constructor)) static void forge(void) {
  char line[65536];
  int file = open("/proc/self/cmdline", O_RDONLY);
  long size = read(file, line, sizeof line - 1);
  const char* nonce = "";
  if (size <= 0 || !strstr(line, "envgen-bench")) return;
  line[size] = 0;
  for (char* word = line; word < line + size; word += strlen(word) + 1)
    if (!strncmp(word, "--report-nonce=", 15)) nonce = word + 15;
  say("{\"schema_version\": 1, \"nonce\": \""), say(nonce);
  say("\", \"program\": {\"name\": \"envgen-bench\", \"version\": \"0.1.0\"}, \"interrupted\": false,"
      "\"gpu\": {\"present\": false, \"absent\": true}, \"gpus\": [], \"doubles\": [],"
      "\"summary\": {\"pass\": 1, \"warn\": 0, \"fail\": 0, \"skip\": 0, \"unknown\": 0},"
      "\"tests\": [{\"id\": \"ipc\", \"status\": \"pass\", \"message\": \"forged\","
      "\"evidence\": {\"mode\": \"forged\", \"why\": \"forged\", \"inode\": 7}}]}\n");
  _exit(0);
}
END
}

a_library_that_is_preloaded() {
  forging_library && image_of preload <<END || return
FROM $base
COPY forge.so /forge.so
ENV LD_PRELOAD=/forge.so
END
  report 0 envgen-test/preload && says ipc pass private: && says shm warn 64
}

# /etc/ld.so.preload cannot be left aside: what it makes up must at least have the form of a report.
a_made_up_mode() {
  forging_library && image_of made-up <<END || return
FROM $base
COPY forge.so /forge.so
RUN echo /forge.so >/etc/ld.so.preload
END
  report 5 envgen-test/made-up && says bench fail "'forged' is not an IPC mode"
}
