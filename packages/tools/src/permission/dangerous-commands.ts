// Commands that destroy, publish, reach other machines, or change the system. They are asked for in every mode but full,
// also where there is a sandbox: what they do inside the folder is what makes them dangerous.
//
// The list need not be complete to be safe. What is neither here nor known to only read is asked for as well, wherever no
// sandbox holds it.

import { posix } from "node:path";
import { literalOf, type ShellWord } from "./shell-step.ts";

const always: Readonly<Record<string, string>> = {
  ...group(
    "it acts with more rights than you have",
    "sudo doas su pkexec run0 runuser chroot nsenter unshare setpriv",
  ),
  ...group(
    "it changes disks or whole devices",
    "dd fdisk parted sfdisk mount umount losetup cryptsetup wipefs shred swapoff swapon diskutil hdparm",
  ),
  ...group("it ends other programs", "kill killall pkill xkill skill"),
  ...group(
    "it changes the system",
    "shutdown reboot halt poweroff systemctl service launchctl crontab at batch iptables nft ufw sysctl modprobe insmod useradd userdel usermod groupadd passwd chpasswd visudo chsh chown chgrp setfacl chattr defaults scutil",
  ),
  ...group(
    "it reaches other machines",
    "ssh scp sftp rsync nc ncat netcat socat telnet ftp tftp rsh rlogin mosh sshpass autossh ssh-copy-id ssh-keygen ssh-add",
  ),
  ...group(
    "it uses your accounts elsewhere",
    "aws gcloud gsutil az doctl heroku vercel netlify fly flyctl wrangler terraform tofu pulumi kubectl helm ansible ansible-playbook vault op pass gpg gpg2 security secret-tool",
  ),
  ...group(
    "it installs programs for the whole system",
    "apt apt-get aptitude dpkg yum dnf rpm pacman zypper apk brew port snap flatpak nix-env choco winget scoop",
  ),
  ...group(
    "it can change anything outside of the folder",
    "docker podman nerdctl buildah lxc virsh vagrant multipass",
  ),
  ...group(
    "it opens something outside of the terminal",
    "xdg-open open osascript gio gnome-open kde-open wslview",
  ),
  ...group("it keeps running where nothing can be seen", "tmux screen byobu systemd-run daemonize disown"),
  ...group(
    "it runs other commands with what it is given",
    "parallel entr watch strace ltrace gdb lldb script expect flock busybox toybox sem at",
  ),
  ...group("it repeats earlier commands", "fc history"),
};

/** The same for each of these names. */
export function group<Value>(value: Value, names: string): Record<string, Value> {
  return Object.fromEntries(names.split(" ").map((name) => [name, value]));
}

const installers: Readonly<Record<string, RegExp>> = {
  npm: /^(?:i|in|ins|inst|install|add|ci|clean-install|update|up|upgrade|uninstall|remove|rm|un|link|ln|publish|unpublish|deprecate|dist-tag|login|adduser|logout|token|owner|access|config|set|init|create|audit|rebuild|explore|edit|star|hook|org|team|profile|version|cache|install-test|it|install-ci-test|cit|prune|dedupe)$/,
  pnpm: /^(?:i|install|add|update|up|remove|rm|un|uninstall|link|publish|dlx|create|import|config|patch|rebuild|store|env|setup|self-update|deploy|prune|dedupe|fetch)$/,
  yarn: /^(?:install|add|up|upgrade|remove|link|publish|npm|dlx|create|config|set|plugin|import|init|global|cache)$/,
  bun: /^(?:i|install|add|update|remove|rm|link|publish|x|create|init|upgrade|pm|patch)$/,
  bunx: /./,
  pip: /^(?:install|uninstall|download|wheel|config|cache)$/,
  pip3: /^(?:install|uninstall|download|wheel|config|cache)$/,
  pipx: /./,
  uv: /^(?:add|remove|sync|pip|tool|publish|python|self|init|lock|cache)$/,
  uvx: /./,
  poetry: /^(?:add|remove|install|update|publish|config|self|lock|init|new|source|cache)$/,
  conda: /./,
  mamba: /./,
  gem: /^(?:install|uninstall|update|push|yank|owner|signin|sources|cleanup)$/,
  bundle: /^(?:install|update|add|remove|exec|config|lock|cache)$/,
  cargo:
    /^(?:install|uninstall|add|remove|update|publish|yank|login|logout|owner|init|new|fetch|vendor|clean)$/,
  go: /^(?:get|install|generate|mod|work|clean|env)$/,
  rustup: /./,
  composer: /^(?:install|update|require|remove|global|config|create-project|self-update)$/,
  dotnet: /^(?:add|remove|restore|tool|nuget|new|workload)$/,
  gh: /./,
  glab: /./,
};

// They run the words behind their own.
const runners =
  /^(?:poetry|uv|pipenv|pdm|hatch|rye|direnv|mise|asdf|nix|nix-shell|devbox|dotenv|doppler|bundle|dbus-run-session|xvfb-run|catchsegv|noglob|caffeinate|proxychains4?|torsocks|faketime|fakeroot|firejail|bwrap|rtk)$/;

/** Why a command is dangerous; undefined when it is not known to be. */
export function dangerOf(words: readonly ShellWord[]): string | undefined {
  const name = literalOf(words[0]);
  if (name === undefined) return undefined;
  const program = posix.basename(name).toLowerCase();
  const rest = words.slice(1);
  if (Object.hasOwn(always, program)) return always[program];
  if (/^(?:mkfs|fsck|mkswap)/.test(program)) return "it changes disks or whole devices";
  if (/\.exe$/.test(program)) return "it leaves the system that the sandbox and the rules know";
  if (program === "rm" || program === "unlink" || program === "rmdir") return dangerOfRemoving(rest);
  if (program === "chmod") return dangerOfChmod(rest);
  if (program === "git") return dangerOfGit(rest);
  if (program === "truncate") return "it cuts files off";
  if (program === "find" || program === "fd") return undefined;
  if (["mv", "cp", "ln", "install"].includes(program) && !rest.every((word) => word.kind === "literal")) {
    return "it is not clear which files it replaces";
  }
  if (runners.test(program)) {
    const inner = rest.map((_, at) => dangerOf(rest.slice(at))).find((why) => why !== undefined);
    if (inner !== undefined || rest.some((word) => word.kind !== "literal")) {
      return inner ?? "it is not clear what it runs";
    }
  }
  const installs = Object.hasOwn(installers, program) ? installers[program] : undefined;
  if (installs === undefined) return undefined;
  const verb = rest.find((word) => word.kind !== "literal" || !word.value.startsWith("-"));
  if (verb === undefined) return program === "yarn" ? "it installs what the project names" : undefined;
  if (verb.kind !== "literal") return "it is not clear what it does";
  return installs.test(verb.value) ? "it installs, publishes or changes packages" : undefined;
}

function dangerOfRemoving(rest: readonly ShellWord[]): string | undefined {
  if (rest.some((word) => word.kind !== "literal")) return "it is not clear which files it deletes";
  const isWhole = rest.some((word) => {
    const value = literalOf(word) ?? "";
    return /^-[a-zA-Z]*[rRdf]/.test(value) || /^--(?:rec|dir|for|no-pre)/.test(value);
  });
  return isWhole ? "it deletes without a way back" : undefined;
}

function dangerOfChmod(rest: readonly ShellWord[]): string | undefined {
  const values = rest.map((word) => literalOf(word));
  if (values.includes(undefined)) return "it is not clear which files it changes";
  if (values.some((value) => /^-[a-zA-Z]*R|^--rec/.test(value ?? "")))
    return "it changes the rights of many files";
  return values.some((value) => /^(?:[ugoa]*[+=][rwx]*s|[2-7]\d{3}$)/.test(value ?? ""))
    ? "it lets others run a file with your rights"
    : undefined;
}

const gitDanger: Readonly<Record<string, string>> = {
  ...group(
    "it throws away work or history",
    "clean rebase restore filter-branch filter-repo gc prune update-ref replace rm",
  ),
  ...group(
    "it reaches other machines",
    "push pull fetch clone ls-remote remote-http remote-https send-pack fetch-pack send-email request-pull svn p4 lfs",
  ),
  ...group(
    "it changes how git works, or what it runs",
    "config submodule hook maintenance credential daemon difftool mergetool bisect init instaweb web--browse fsmonitor--daemon",
  ),
};

function dangerOfGit(words: readonly ShellWord[]): string | undefined {
  for (const [index, word] of words.entries()) {
    const value = literalOf(word);
    if (value === undefined) return "it is not clear what git would do";
    if (value === "--no-pager" || value === "--no-optional-locks" || value === "-P") continue;
    if (value.startsWith("-")) {
      if (["--version", "--help", "-h", "-v"].includes(value)) return undefined;
      return "an option before the name of git's command can make git run something else";
    }
    return dangerOfGitCommand(value, words.slice(index + 1));
  }
  return undefined;
}

function dangerOfGitCommand(command: string, rest: readonly ShellWord[]): string | undefined {
  if (Object.hasOwn(gitDanger, command)) return gitDanger[command];
  const values = rest.map((word) => literalOf(word) ?? "");
  const has = (pattern: RegExp) => values.some((value) => pattern.test(value));
  switch (command) {
    case "reset":
      return has(/^--(?:h|m|k)/) ? "it throws away work" : undefined;
    case "checkout":
      if (has(/^--$|^-[a-zA-Z]*[fB]|^--(?:fo|ours|theirs|patch|path)|^\.{1,2}(?:\/|$)/))
        return "it throws away work";
      // A second operand is a path, and so may be the first.
      return values.filter((value) => !value.startsWith("-")).length > 1 || has(/[/*]|\.\w+$/)
        ? "it may throw away work"
        : undefined;
    case "switch":
      return has(/^-[a-zA-Z]*[fC]|^--(?:f|d)/) ? "it throws away work" : undefined;
    case "branch":
      return has(/^-[a-zA-Z]*[dDmMcCf]|^--(?:del|move|copy|force|edit|set|unset)/)
        ? "it deletes or moves a branch"
        : undefined;
    case "tag":
      return has(/^-[a-zA-Z]*[df]|^--(?:del|force)/) ? "it deletes or moves a tag" : undefined;
    case "stash":
      return has(/^(?:drop|clear|pop|push|save|apply)$/) || values.length === 0
        ? "it moves work away, or overwrites it"
        : undefined;
    case "reflog":
      return has(/^(?:expire|delete|drop)$/) ? "it throws away history" : undefined;
    case "remote":
      return has(/^(?:add|rm|remove|rename|set-|prune|update)/) ? "it changes where work is sent" : undefined;
    case "worktree":
      return has(/^(?:remove|prune|move)$/) ? "it deletes folders" : undefined;
    case "commit":
      return has(/^--am|^--no-v|^-[a-zA-Z]*n/) ? "it rewrites a commit, or skips its checks" : undefined;
    default:
      break;
  }
  if (has(/^--(?:output|ext-diff|textconv|exec|upload-pack|receive-pack|open-files)|^-O/)) {
    return "an option makes git write a file or run a program";
  }
  return undefined;
}

const heldBySandbox = new Set("rm rmdir unlink chmod truncate mv cp ln find sh bash dash".split(" "));
const gitOutside = new Set(
  "push pull fetch clone ls-remote send-email lfs submodule remote config credential hook init".split(" "),
);

/** Whether a dangerous command needs what a sandbox keeps from it: the network, the rest of the disk, the system. */
export function leavesSandbox(words: readonly ShellWord[]): boolean {
  const program = posix.basename(literalOf(words[0]) ?? "");
  if (program !== "git") return !heldBySandbox.has(program);
  return words.some((word) => gitOutside.has(literalOf(word) ?? ""));
}
