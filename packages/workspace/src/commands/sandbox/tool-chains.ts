// What is shown of a home folder in the sandbox, to be read: the programs that a person installed there. A home is closed
// by default, so a tool that is missing here is not found until the person lists its folder (the setting `sandbox.read`).
//
// A row names programs and what they are built from, never a folder in which people keep documents, and never the whole
// folder of a tool that keeps its credentials beside its programs. secret-paths.ts covers what is left of those.

export interface ToolChain {
  /** From the home folder; absolute for the few that have a home of their own. */
  readonly path: string;
  /** A variable that names the folder where it is not the usual one. */
  readonly variable?: string;
  /** What would not work without it. */
  readonly reason: string;
}

const chain = (reason: string, path: string, variable?: string): ToolChain =>
  variable === undefined ? { path, reason } : { path, variable, reason };

export const toolChains: readonly ToolChain[] = [
  // Programs of no tool in particular.
  chain("programs of the person", ".local/bin"),
  chain("libraries of those programs, and Python packages of pip install --user", ".local/lib"),
  chain("manual pages of those programs", ".local/share/man"),
  chain("fonts, for what draws pages and pictures", ".local/share/fonts"),
  chain("fonts, for what draws pages and pictures", ".fonts"),
  chain("versions of many languages", ".asdf", "ASDF_DATA_DIR"),
  chain("the version manager itself", ".asdf", "ASDF_DIR"),
  chain("versions of many languages", ".local/share/mise", "MISE_DATA_DIR"),
  chain("versions of many languages", ".proto", "PROTO_HOME"),
  chain("programs of Homebrew", "/home/linuxbrew/.linuxbrew"),
  chain("programs of Homebrew", ".linuxbrew"),
  chain("the person's Nix profile", ".nix-profile"),
  chain("the person's Nix profiles", ".local/state/nix/profiles"),
  chain("the person's Guix profile", ".guix-profile"),
  chain("programs of pixi", ".pixi"),
  chain("programs of aqua", ".local/share/aquaproj-aqua"),
  // JavaScript.
  chain("versions of Node", ".nvm", "NVM_DIR"),
  chain("versions of Node", ".local/share/fnm", "FNM_DIR"),
  chain("versions of Node", ".fnm"),
  chain("versions of Node", ".volta", "VOLTA_HOME"),
  chain("versions of Node", ".nodenv"),
  chain("versions of Node", "n", "N_PREFIX"),
  chain("packages of npm install -g", ".npm-global"),
  chain("packages of npm install -g", ".npm-packages"),
  chain("packages of pnpm add -g", ".local/share/pnpm", "PNPM_HOME"),
  chain("packages of yarn global add", ".config/yarn/global"),
  chain("programs of yarn", ".yarn/bin"),
  chain("Bun", ".bun", "BUN_INSTALL"),
  chain("Deno", ".deno"),
  chain("package managers of Corepack", ".cache/node/corepack", "COREPACK_HOME"),
  chain("headers for native packages of Node", ".cache/node-gyp"),
  chain("browsers for tests", ".cache/ms-playwright", "PLAYWRIGHT_BROWSERS_PATH"),
  chain("browsers for tests", ".cache/puppeteer"),
  chain("browsers for tests", ".cache/Cypress"),
  // Rust.
  chain("versions of Rust", ".rustup", "RUSTUP_HOME"),
  chain("programs of cargo install, and the proxies of rustup", ".cargo/bin"),
  chain("the environment of Rust", ".cargo/env"),
  // Python.
  chain("versions of Python", ".pyenv", "PYENV_ROOT"),
  chain("versions of Python and tools of uv", ".local/share/uv"),
  chain("tools of pipx", ".local/share/pipx", "PIPX_HOME"),
  chain("tools of pipx", ".local/pipx"),
  chain("Poetry", ".local/share/pypoetry", "POETRY_HOME"),
  chain("environments of pipenv", ".local/share/virtualenvs"),
  chain("environments of virtualenvwrapper", ".virtualenvs", "WORKON_HOME"),
  chain("environments of Poetry", ".cache/pypoetry/virtualenvs"),
  chain("conda", "miniconda3"),
  chain("conda", "anaconda3"),
  chain("conda", "miniforge3"),
  chain("conda", "mambaforge"),
  chain("conda", "micromamba"),
  chain("environments of conda", ".conda/envs"),
  chain("versions of Python", ".rye"),
  chain("environments of pre-commit", ".cache/pre-commit"),
  chain("models that programs have loaded", ".cache/huggingface/hub"),
  chain("models that programs have loaded", ".cache/torch/hub"),
  // Ruby.
  chain("versions of Ruby", ".rbenv", "RBENV_ROOT"),
  chain("versions of Ruby", ".rvm"),
  chain("versions of Ruby", ".rubies"),
  chain("gems of gem install", ".gem/ruby"),
  chain("gems of gem install", ".local/share/gem"),
  // Java, Kotlin, Scala, Android.
  chain("versions of Java and its tools", ".sdkman", "SDKMAN_DIR"),
  chain("versions of Java", ".jenv"),
  chain("versions of Java", ".jdks"),
  chain("versions of Java", ".gradle/jdks"),
  chain("versions of Gradle", ".gradle/wrapper/dists"),
  chain("versions of Maven", ".m2/wrapper/dists"),
  chain("programs of Coursier", ".local/share/coursier/bin"),
  chain("the Android SDK", "Android/Sdk", "ANDROID_HOME"),
  // Go.
  chain("programs of go install", "go/bin"),
  chain("versions of Go", "sdk"),
  chain("versions of Go", ".goenv"),
  chain("versions of Go", ".gvm"),
  chain("a Go that was unpacked at home", ".local/go", "GOROOT"),
  // .NET, PHP, Haskell, OCaml, Elixir, Perl, Lua, Zig, Swift, Dart, Julia, R, Nim, Lean, WebAssembly, C and C++.
  chain(".NET and its tools", ".dotnet", "DOTNET_ROOT"),
  chain("packages of composer global require", ".config/composer/vendor"),
  chain("packages of composer global require", ".composer/vendor"),
  chain("versions of PHP", ".phpenv"),
  chain("versions of GHC", ".ghcup"),
  chain("programs of cabal", ".cabal/bin"),
  chain("compilers of Stack", ".stack/programs"),
  chain("OCaml", ".opam"),
  chain("archives of mix", ".mix"),
  chain("modules of Perl", "perl5"),
  chain("versions of Perl", ".plenv"),
  chain("modules of Lua", ".luarocks"),
  chain("versions of Zig", ".zvm"),
  chain("versions of Swift", ".local/share/swiftly"),
  chain("Flutter", "flutter"),
  chain("Flutter", "development/flutter"),
  chain("versions of Flutter", "fvm/versions"),
  chain("packages and programs of Dart", ".pub-cache"),
  chain("versions of Julia", ".juliaup"),
  chain("versions of Julia", ".julia/juliaup"),
  chain("packages of R", "R"),
  chain("versions of Nim", ".choosenim/toolchains"),
  chain("programs of Nim", ".nimble/bin"),
  chain("versions of Lean", ".elan"),
  chain("wasmtime", ".wasmtime"),
  chain("wasmer", ".wasmer/bin"),
  chain("Emscripten", "emsdk", "EMSDK"),
  chain("Foundry", ".foundry/bin"),
];

/** Folders of the system that hold programs, libraries and their settings: with this list nothing else of it is there. */
export const systemFolders: readonly string[] = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc",
  "/opt",
  // How many processors and how much memory there is; the rest tells of hardware and of the machine's networks.
  "/sys/devices/system",
  "/sys/fs/cgroup",
  "/sys/kernel/mm",
  "/snap",
  "/nix/store",
  "/nix/var/nix/profiles",
  "/gnu/store",
  "/var/guix/profiles",
  // What the package manager knows: `dpkg -S`, `rpm -q`.
  "/var/lib/dpkg",
  "/var/lib/rpm",
  "/var/lib/apk",
  "/var/lib/pacman",
  // Languages that keep packages of the system there.
  "/var/lib/gems",
  "/var/lib/ghc",
  "/var/lib/texmf",
  "/var/lib/snapd/snap",
  "/var/cache/fontconfig",
  "/var/cache/man",
  // Of /run only files and links, because services keep their sockets in its folders.
  "/run/systemd/resolve/resolv.conf",
  "/run/systemd/resolve/stub-resolv.conf",
  "/run/resolvconf/resolv.conf",
  "/run/NetworkManager/resolv.conf",
  "/run/NetworkManager/no-stub-resolv.conf",
  "/run/current-system",
  "/run/booted-system",
  "/run/opengl-driver",
];

/** The same of macOS. */
export const macFolders: readonly string[] = [
  "/usr",
  "/bin",
  "/sbin",
  "/opt",
  "/System",
  "/Library",
  "/Applications",
  "/nix/store",
  "/private/etc",
  "/private/var/db",
  "/private/var/select",
  "/dev",
];
