#include <array>

#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {
namespace {

constexpr std::string_view install_toolkit =
    "sudo apt-get install -y nvidia-container-toolkit\n"
    "sudo nvidia-ctk runtime configure --runtime=docker\n"
    "sudo systemctl restart docker";

constexpr std::array rows{
    Diagnosis{
        .id = "engine-no-gpu-driver",
        .title = "Docker has no way to the GPU: the NVIDIA Container Toolkit is missing",
        .cause =
            "The daemon found no NVIDIA hook (nvidia-container-runtime-hook) on its PATH, so nothing serves --gpus: the toolkit "
            "is not installed, the daemon was not restarted since, or this is the Docker of snap, Docker Desktop or a rootless "
            "daemon, which does not see the host's.",
        .fix =
            "Install the NVIDIA Container Toolkit on the host (its package repository first, as NVIDIA's install guide says) and "
            "restart the daemon. In place of Docker from snap, take Docker's own packages.",
        .commands = install_toolkit,
        .source = "reproduced on Docker Engine 20.10; NVIDIA/nvidia-container-toolkit#854, NVIDIA/nvidia-docker#1034",
        .proof = Proof::reproduced,
        .patterns = R"(could not select device driver "" with capabilities: [[gpu
could not select device driver with capabilities: [[gpu
could not select device driver "" with capabilities: [[ !! [[gpu !! capabilities: []
could not select device driver "gpu")",
    },
    Diagnosis{
        .id = "compose-no-gpu-driver",
        .title = "Docker Compose asks for the driver \"nvidia\", and the daemon has none",
        .cause =
            "The service reserves a device of the driver nvidia, and the daemon found no NVIDIA hook "
            "(nvidia-container-runtime-hook) on its PATH: the NVIDIA Container Toolkit is not installed, or the daemon was not "
            "restarted since.",
        .fix =
            "Install the NVIDIA Container Toolkit on the host (its package repository first, as NVIDIA's install guide says) and "
            "restart the daemon. Without a GPU, take the reservation out of the compose file.",
        .commands = install_toolkit,
        .source = "reproduced on Docker Engine 20.10; gpu-hot#18; infiniflow/ragflow#9573; xerrors/Yuxi#237",
        .proof = Proof::reproduced,
        .patterns = R"(could not select device driver "nvidia" with capabilities)",
    },
    Diagnosis{
        .id = "engine-no-cdi",
        .title = "The daemon does not know CDI, by which the GPU was asked for",
        .cause =
            "The request names the driver cdi (or a device like nvidia.com/gpu=all), and the daemon has CDI switched off or is "
            "older than Docker 25.",
        .fix = "Switch CDI on in /etc/docker/daemon.json, {\"features\": {\"cdi\": true}}, and restart the daemon (it is on by "
               "default "
               "since Docker 28.2); or ask by --gpus all.",
        .commands = "docker version --format '{{.Server.Version}}'\n"
                    "sudo nvidia-ctk runtime configure --runtime=docker --cdi.enabled\n"
                    "sudo systemctl restart docker",
        .source = "reproduced on Docker Engine 20.10; NVIDIA/nvidia-container-toolkit#434",
        .proof = Proof::reproduced,
        .patterns = R"(could not select device driver "cdi" with capabilities
CDI is not enabled !! podman
nvidia.com/gpu= * is not an absolute path
error gathering device information while adding custom device "nvidia.com/gpu=)",
    },
    Diagnosis{
        .id = "engine-no-gpu-vendor",
        .title = "Docker 29.3 or later found no GPU vendor: neither toolkit nor CDI spec",
        .cause = "--gpus looks for a CDI spec of a GPU vendor first, and there is none; nor is the NVIDIA hook on the daemon's "
                 "PATH, so "
                 "the AMD driver of the engine took the request and gave up.",
        .fix = "Install the NVIDIA Container Toolkit (it brings the hook and writes the CDI spec) and restart the daemon.",
        .commands = install_toolkit,
        .source = "moby daemon/devices_linux.go, first tag docker-v29.3.0 (source read)",
        .proof = Proof::source_read,
        .patterns = R"(failed to discover GPU vendor from CDI
no known GPU vendor found !! CDI specs !! could not discover)",
    },
    Diagnosis{
        .id = "engine-amd-claims-gpu",
        .title = "The engine's AMD driver took a request that NVIDIA's should have had",
        .cause =
            "Docker 29.3 or later: a CDI spec of NVIDIA is there, but the daemon was not restarted since it was written, or the "
            "daemon's PATH lacks the NVIDIA hooks.",
        .fix = "Restart the daemon, or name the device: --device nvidia.com/gpu=all in place of --gpus.",
        .commands = "sudo systemctl restart docker\n"
                    "docker run --rm --device nvidia.com/gpu=all ubuntu nvidia-smi",
        .source = "moby daemon/devices_amd_linux.go (source read); wolf#386",
        .proof = Proof::source_read,
        .patterns = "AMD CDI spec not found",
    },
    Diagnosis{
        .id = "engine-cdi-injection",
        .title = "Docker found no CDI device nvidia.com/gpu",
        .cause =
            "The daemon tried CDI and knows no such device: no CDI spec was written yet (only the toolkit's -base package is "
            "installed, which has nvidia-ctk but no hook), or the spec does not name the device that was asked for.",
        .fix =
            "See what the spec names. Where it names none: write it, or install the whole nvidia-container-toolkit package, and "
            "restart the daemon. Where it names others: ask for one of those, or write it again.",
        .commands = "nvidia-ctk cdi list\n"
                    "sudo nvidia-ctk cdi generate --output=/var/run/cdi/nvidia.yaml\n"
                    "sudo apt-get install -y nvidia-container-toolkit",
        .source = "moby daemon/devices_nvidia_linux.go (source read)",
        .proof = Proof::source_read,
        .patterns = R"(CDI device injection failed * unresolvable CDI devices !! runtime.nvidia.com
? CDI device injection failed)",
    },
    Diagnosis{
        .id = "podman-no-gpu-vendor",
        .title = "podman found no CDI spec of a GPU vendor",
        .cause =
            "podman 6 serves --gpus by CDI, and no spec of a GPU vendor is in /etc/cdi or /var/run/cdi; podman 3.3 to 4.x take "
            "--gpus and ignore it silently.",
        .fix = "Write the CDI spec, and name the device: --device nvidia.com/gpu=all works with every podman since 4.1.",
        .commands = "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml\n"
                    "podman run --rm --device nvidia.com/gpu=all --security-opt=label=disable ubuntu nvidia-smi",
        .source = "podman 6.0.0-rc1 (source read)",
        .proof = Proof::source_read,
        .patterns = R"(could not discover GPU vendor
no known GPU vendor found in CDI specs)",
    },
    Diagnosis{
        .id = "build-device",
        .title = "A build asks for a device that it is not given",
        .cause = "RUN --device needs the labs syntax of the Dockerfile, a device that the builder knows by CDI, and the user's "
                 "word that "
                 "the build may have it.",
        .fix = "Best build without a GPU: nothing that envgen writes needs one to build. Else begin the Dockerfile with "
               "'# syntax=docker/dockerfile:1-labs' and allow the device.",
        .commands = "docker buildx build --allow device=nvidia.com/gpu=all .",
        .source = "buildkit 0.32 (source read)",
        .proof = Proof::source_read,
        .patterns = R"(required device " * " is not registered
device * is requested by the build but not allowed
device * is not allowed by the build * entitlement)",
    },
    Diagnosis{
        .id = "runtime-unknown",
        .title = "The engine has no runtime of the name \"nvidia\"",
        .cause =
            "--runtime=nvidia (or runtime: nvidia, or a RuntimeClass) names a runtime that the engine's configuration does not "
            "have, or that it was not restarted for.",
        .fix = "Register the runtime with the engine that is in use, and restart it; or ask by --gpus all or CDI, which need no "
               "runtime of that name. podman needs none: --device nvidia.com/gpu=all.",
        .commands = "sudo nvidia-ctk runtime configure --runtime=docker\n"
                    "sudo systemctl restart docker\n"
                    "docker info --format '{{.Runtimes}}'",
        .source = "reproduced on Docker Engine 20.10",
        .proof = Proof::reproduced,
        .patterns = R"(unknown runtime specified nvidia
unknown or invalid runtime name: nvidia
invalid runtime name: nvidia
no runtime for "nvidia" is configured
runtime "nvidia" not found
runtime "nvidia" is not configured
exec: "nvidia-container-runtime": executable file not found)",
    },
    Diagnosis{
        .id = "docker-daemon-down",
        .title = "The Docker daemon does not run, or is not where the client looks",
        .cause = "The client reached no daemon at its socket: the daemon is stopped, failed to start (a slip in "
                 "/etc/docker/daemon.json), or the client is set to another place by DOCKER_HOST or a context.",
        .fix = "Start the daemon, and read its journal where it does not start. With a rootless daemon or Docker Desktop, "
               "choose its context.",
        .commands = "sudo systemctl start docker\n"
                    "journalctl -u docker --no-pager | tail -20\n"
                    "docker context ls",
        .source = "docker/for-linux#535, moby/moby#32658",
        .proof = Proof::thread,
        .patterns = R"(Cannot connect to the Docker daemon
failed to connect to the docker API at
Is the docker daemon running?
error during connect * docker)",
    },
    Diagnosis{
        .id = "docker-permission",
        .title = "This user may not talk to the Docker daemon",
        .cause = "The socket of the daemon belongs to root and the group docker, and the user is not in that group (or has not "
                 "logged in again since).",
        .fix = "Add the user to the group docker and log in again (who is in it is as mighty as root); or use sudo, or a "
               "rootless engine.",
        .commands = "sudo usermod -aG docker \"$USER\"\n"
                    "newgrp docker",
        .source = "docker-library/postgres#1124, actions/actions-runner-controller#2538, vishnudxb/docker-blackeye#14",
        .proof = Proof::thread,
        .patterns = R"(permission denied while trying to connect to the Docker
docker.sock: connect: permission denied)",
        .hides = "docker-daemon-down",
    },
    Diagnosis{
        .id = "engine-gpus-unknown",
        .title = "This engine is older than --gpus",
        .cause = "--gpus came with Docker 19.03, and podman took it later.",
        .fix = "A newer engine. For podman before 6, name the device: --device nvidia.com/gpu=all.",
        .commands = "docker version",
        .source = "tensorflow/docs docker.md (--gpus asks for Docker 19.03)",
        .proof = Proof::documented,
        .patterns = R"(unknown flag: --gpus
unknown option --gpus)",
    },
    Diagnosis{
        .id = "kubernetes-no-gpu",
        .title = "No node of the cluster offers the GPUs that the pod asks for",
        .cause = "No node has that many free nvidia.com/gpu: all are taken, or a node does not offer its own because the "
                 "device plugin does not run there or does not see the GPU (the NVIDIA runtime is not the one that runs it).",
        .fix = "Look at what the nodes offer and what the device plugin logs; make the NVIDIA runtime the default of "
               "containerd, or name its RuntimeClass.",
        .commands = "kubectl get nodes -o custom-columns=NAME:.metadata.name,GPUS:.status.allocatable.nvidia\\.com/gpu\n"
                    "kubectl -n kube-system logs -l name=nvidia-device-plugin-ds\n"
                    "sudo nvidia-ctk runtime configure --runtime=containerd --set-as-default",
        .source = "NVIDIA/k8s-device-plugin#33, NVIDIA/k8s-device-plugin#159, NVIDIA/k8s-device-plugin#382",
        .proof = Proof::thread,
        .patterns = R"(Insufficient nvidia.com/gpu
Insufficient nvidia.com/mig)",
    },
    Diagnosis{
        .id = "compose-too-old",
        .title = "This docker-compose is older than devices in a compose file",
        .cause = "The reservation of devices (GPUs) came with docker-compose 1.28; an older one does not know the key.",
        .fix = "Use Compose v2 (docker compose), or docker-compose 1.29.",
        .commands = "docker compose version\n"
                    "sudo apt-get install -y docker-compose-plugin",
        .source = "docker/compose#8142 and set-up notes of many projects",
        .proof = Proof::thread,
        .patterns = R"(Additional properties are not allowed ('devices' was unexpected)
Unsupported config option for services * 'runtime'
Unsupported config option for services * runtime)",
    },
};

}  // namespace

std::span<const Diagnosis> engine_failures() { return rows; }

}  // namespace envgen::diagnosis
