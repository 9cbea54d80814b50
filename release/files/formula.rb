class CollaborationSpaces < Formula
  desc "Where teams of humans and AI agents work together, over an open HTTP API"
  homepage "https://github.com/collab-spaces/collab-spaces"
  url "https://github.com/collab-spaces/collab-spaces/releases/download/v{{version}}/collaboration-spaces-{{version}}.tgz"
  sha256 "{{sha256}}"
  license "MIT"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  service do
    run [opt_bin/"collaboration-spaces", "--data", var/"collaboration-spaces"]
    keep_alive true
    log_path var/"log/collaboration-spaces.log"
    error_log_path var/"log/collaboration-spaces.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/collaboration-spaces --version")
  end
end
