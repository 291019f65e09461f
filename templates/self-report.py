# What Python reports about itself and its framework: a line of JSON whenever more is known. Whatever an import prints goes to standard
# error, so that standard output holds only the report. For Python 3.6 and newer.
import json, math, os, re, shutil, subprocess, sys, sysconfig
if sys.version_info < (3, 6):
    sys.exit("Python %d.%d is too old: 3.6 or newer is required" % sys.version_info[:2])
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
{{{facts}}}
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
report = {"python": ".".join(str(part) for part in sys.version_info[:3]), "framework": "", "error": "",
          "nonce": sys.argv[1] if len(sys.argv) > 1 else None, "library": os.path.realpath(os.__file__),
          "prefix": sys.prefix, "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED"))}

nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
if nvcc:
    try:
        said = subprocess.run([nvcc, "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        release = re.search(rb"release (\d+\.\d+)", said.stdout)
        report["nvcc"] = release.group(1).decode() if release else "?"
    except Exception:
        report["nvcc"] = "?"
def say():
    out.write(json.dumps(report) + "\n")
    out.flush()

def begin(what):
    report["doing"] = what
    say()

def products(count, ask):
    made = []
    for device in range(count):
        try:
            off = ask(device)
            made.append({"device": device, "off": off if math.isfinite(off) else None})  # JSON has no NaN
        except Exception as error:
            made.append({"device": device, "error": str(error) or repr(error)})
    return made

def extensions():
    """Runs before CUDA is used, because each extension is loaded in a forked child."""
    try:
        others = [(one, one.libraries_on_torch()) for one in installed().values() if one.name != "torch"]
        return [examined(one, libraries) for one, libraries in others if libraries][:100]
    except Exception:
        return None

def torch_report():
    begin("importing torch")
    import torch
    begin("asking torch")
    found = {"extensions": extensions(), "framework": "torch", "version": str(torch.__version__).partition("+")[0], "cuda": torch.version.cuda}
    if torch.version.cuda:
        found["cudnn"] = torch.backends.cudnn.version()
        try:
            nccl = torch.cuda.nccl.version()
            found["nccl"] = ".".join(str(part) for part in nccl) if isinstance(nccl, tuple) else str(nccl)
        except Exception:
            pass
        flags = torch._C._cuda_getArchFlags()
        found["archs"] = sorted(flags.split()) if flags else []
    found["file"] = os.path.realpath(torch.__file__)
    found["sees_gpu"] = torch.cuda.is_available()
    found["gpus"] = torch.cuda.device_count() if found["sees_gpu"] else 0
    if torch.version.cuda and not found["sees_gpu"]:
        try:
            torch.cuda.init()
        except Exception as error:
            found["gpu_error"] = str(error)

    def ask(device):
        a = torch.rand(256, 256, generator=torch.Generator().manual_seed(1))
        on_cpu = torch.matmul(a, a)
        on_gpu = a.to(torch.device("cuda", device))
        return float((torch.matmul(on_gpu, on_gpu).cpu() - on_cpu).abs().max() / on_cpu.abs().max())

    found["products"] = products(found["gpus"], ask)
    return found

def tensorflow_report():
    begin("importing tensorflow")
    import tensorflow as tf
    begin("asking tensorflow")
    built = tf.sysconfig.get_build_info()
    found = {"framework": "tensorflow", "version": str(tf.__version__), "file": os.path.realpath(tf.__file__)}
    if built.get("is_cuda_build"):
        found["cuda"] = ".".join(str(built.get("cuda_version", "")).split(".")[:2])
        found["archs"] = sorted(str(arch) for arch in built.get("cuda_compute_capabilities", []))
    devices = tf.config.list_physical_devices("GPU")
    found["sees_gpu"] = bool(devices)
    found["gpus"] = len(devices)

    def ask(device):
        with tf.device("/CPU:0"):
            a = tf.random.stateless_uniform((256, 256), seed=(1, 2))
            on_cpu = tf.linalg.matmul(a, a)
        with tf.device("/GPU:%d" % device):
            on_gpu = tf.linalg.matmul(tf.identity(a), tf.identity(a))
        with tf.device("/CPU:0"):
            return float(tf.reduce_max(tf.abs(tf.identity(on_gpu) - on_cpu)) / tf.reduce_max(tf.abs(on_cpu)))

    found["products"] = products(len(devices), ask)
    return found

for name, ask in (("torch", torch_report), ("tensorflow", tensorflow_report)):
    try:
        report.update(ask())
        break
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and error.name == name:
            continue
        report.update({"framework": name, "error": str(error)})
        break
    except Exception as error:
        report.update({"framework": name, "error": repr(error)})
        break

report["imported"] = report.pop("doing", "").startswith("asking")
say()
os._exit(0)  # so that no library's clean-up can spoil the report
