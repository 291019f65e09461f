# Homebrew on Linux: brew install ./envgen.rb
class Envgen < Formula
  desc "{{desc}}"
  # {{?homepage}}
  homepage "{{homepage}}"
  # {{/homepage}}
  version "{{version}}"
  license "{{license}}"

  depends_on :linux

  on_linux do
    # {{?sha256_x86_64}}
    on_intel do
      url "{{base_url}}/envgen-{{version}}-linux-x86_64.tar.gz"
      sha256 "{{sha256_x86_64}}"
    end
    # {{/sha256_x86_64}}
    # {{?sha256_aarch64}}
    on_arm do
      url "{{base_url}}/envgen-{{version}}-linux-aarch64.tar.gz"
      sha256 "{{sha256_aarch64}}"
    end
    # {{/sha256_aarch64}}
  end

  def install
    bin.install "bin/envgen"
    libexec.install Dir["libexec/*"]
    man1.install "share/man/man1/envgen.1"
    bash_completion.install "share/bash-completion/completions/envgen"
    zsh_completion.install "share/zsh/site-functions/_envgen"
    fish_completion.install "share/fish/vendor_completions.d/envgen.fish"
    pkgshare.install "share/envgen/schema"
    doc.install Dir["share/doc/envgen/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/envgen --version")
    assert_match "torch 2.3.1 + CUDA 12.1", shell_output("#{bin}/envgen resolve --torch 2.3")
  end
end
