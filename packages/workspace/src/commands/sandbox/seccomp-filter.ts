// A filter of system calls for commands in the sandbox: a second boundary, in case that the first one, the namespaces, has a
// hole. It is a program of the kernel's classic BPF, which is handed to bubblewrap as a file.
//
//   refused       what only a system needs (modules, clocks, swap, mounts), what namespaces do not hold (keys of the
//                 kernel, vsock), and what is known for holes of the kernel (io_uring, userfaultfd, bpf)
//   not there     clone3 and io_uring answer "not implemented", so that programs use what was there before
//   by arguments  namespaces cannot be made, text cannot be typed into a terminal, sockets are of the usual families
//   killed        programs of another architecture: their numbers mean other calls
//
// ptrace stays: it reaches only processes of the same sandbox, and debuggers need it.
//
// The program is a list of instructions of 8 bytes: code, two jumps (how many instructions are skipped), a number.

interface Architecture {
  /** How the kernel names it. */
  readonly audit: number;
  /** Numbers from here on belong to another set of calls (x32), or Infinity. */
  readonly foreignFrom: number;
  readonly numbers: Readonly<Record<string, number>>;
}

/** Numbers that both have in common. */
const common = {
  clone3: 435,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
  quotactl_fd: 443,
  open_tree_attr: 467,
};

const architectures: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    foreignFrom: 0x40000000,
    numbers: {
      ...common,
      ...{ ioctl: 16, socket: 41, clone: 56, syslog: 103, uselib: 134, personality: 135, vhangup: 153 },
      ...{
        pivot_root: 155,
        _sysctl: 156,
        chroot: 161,
        acct: 163,
        settimeofday: 164,
        mount: 165,
        umount2: 166,
      },
      ...{
        swapon: 167,
        swapoff: 168,
        reboot: 169,
        sethostname: 170,
        setdomainname: 171,
        iopl: 172,
        ioperm: 173,
      },
      ...{ create_module: 174, init_module: 175, delete_module: 176, quotactl: 179, nfsservctl: 180 },
      ...{
        lookup_dcookie: 212,
        clock_settime: 227,
        kexec_load: 246,
        add_key: 248,
        request_key: 249,
        keyctl: 250,
      },
      ...{ migrate_pages: 256, unshare: 272, move_pages: 279, perf_event_open: 298, fanotify_init: 300 },
      ...{ open_by_handle_at: 304, clock_adjtime: 305, setns: 308, finit_module: 313, kexec_file_load: 320 },
      ...{ bpf: 321, userfaultfd: 323 },
    },
  },
  arm64: {
    audit: 0xc00000b7,
    foreignFrom: Number.POSITIVE_INFINITY,
    numbers: {
      ...common,
      ...{
        lookup_dcookie: 18,
        ioctl: 29,
        umount2: 39,
        mount: 40,
        pivot_root: 41,
        nfsservctl: 42,
        chroot: 51,
      },
      ...{
        vhangup: 58,
        quotactl: 60,
        acct: 89,
        personality: 92,
        unshare: 97,
        kexec_load: 104,
        init_module: 105,
      },
      ...{
        delete_module: 106,
        clock_settime: 112,
        syslog: 116,
        reboot: 142,
        sethostname: 161,
        setdomainname: 162,
      },
      ...{
        settimeofday: 170,
        socket: 198,
        add_key: 217,
        request_key: 218,
        keyctl: 219,
        clone: 220,
        swapon: 224,
      },
      ...{ swapoff: 225, migrate_pages: 238, move_pages: 239, perf_event_open: 241, fanotify_init: 262 },
      ...{
        open_by_handle_at: 265,
        clock_adjtime: 266,
        setns: 268,
        finit_module: 273,
        bpf: 280,
        userfaultfd: 282,
      },
      ...{ kexec_file_load: 294 },
    },
  },
};

/** Judged by their arguments, or said to be missing. */
const special = new Set(["clone", "unshare", "personality", "ioctl", "socket"]);
const missing = new Set(["clone3", "io_uring_setup", "io_uring_enter", "io_uring_register"]);

const errno = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 };

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const newNamespaces = 0x7e020000;
/** Only unshare takes it here: in clone the bit belongs to a signal. */
const newTime = 0x80;
/** TIOCSTI types, TIOCLINUX pastes, TIOCCONS takes the console, TIOCSETD loads a line discipline. */
const terminalRequests = [0x5412, 0x541c, 0x541d, 0x5423];
/** AF_UNSPEC, AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK. */
const families = [0, 1, 2, 10, 16];
/** Linux, with 32 bits, with the name of an older version, without random addresses (debuggers), and "tell". */
const personalities = [0, 0x8, 0x20000, 0x20008, 0x40000, 0xffffffff];

const load = 0x20;
const equal = 0x15;
const atLeast = 0x35;
const anyBit = 0x45;
const give = 0x06;

const allow = 0x7fff0000;
const kill = 0x80000000;
const refuse = (number: number) => 0x00050000 | number;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** Undefined for an architecture that is not known. */
export function seccompFilter(name: string = process.arch): Buffer | undefined {
  const architecture = architectures[name];
  if (architecture === undefined) return undefined;
  const { audit, foreignFrom, numbers } = architecture;
  const program: Instruction[] = [
    [load, 0, 0, 4],
    [equal, 1, 0, audit],
    [give, 0, 0, kill],
    [load, 0, 0, 0],
    ...(Number.isFinite(foreignFrom) ? stopIf([atLeast, 0, 1, foreignFrom], kill) : []),
  ];
  for (const [call, number] of Object.entries(numbers)) {
    if (special.has(call)) program.push(...whenCalled(number, judged(call)));
    else
      program.push(...stopIf([equal, 0, 1, number], refuse(missing.has(call) ? errno.ENOSYS : errno.EPERM)));
  }
  program.push([give, 0, 0, allow]);
  return encoded(program);
}

function stopIf(test: Instruction, answer: number): Instruction[] {
  return [test, [give, 0, 0, answer]];
}

/** The body ends with an answer. */
function whenCalled(number: number, body: readonly Instruction[]): Instruction[] {
  return [[equal, 0, body.length, number], ...body];
}

function judged(call: string): Instruction[] {
  const end: Instruction = [give, 0, 0, allow];
  switch (call) {
    case "clone":
      return [argument(0), ...stopIf([anyBit, 0, 1, newNamespaces], refuse(errno.EPERM)), end];
    case "unshare":
      return [argument(0), ...stopIf([anyBit, 0, 1, newNamespaces | newTime], refuse(errno.EPERM)), end];
    case "ioctl":
      return [
        argument(1),
        ...terminalRequests.flatMap((request) => stopIf([equal, 0, 1, request], refuse(errno.EPERM))),
        end,
      ];
    case "socket":
      return oneOf(families, errno.EAFNOSUPPORT);
    default:
      return oneOf(personalities, errno.EPERM);
  }
}

function oneOf(values: readonly number[], otherwise: number): Instruction[] {
  const known = values.flatMap((value) => stopIf([equal, 0, 1, value], allow));
  return [argument(0), ...known, [give, 0, 0, refuse(otherwise)]];
}

/** The lower half of an argument; the kernel itself looks at no more of these. */
function argument(index: number): Instruction {
  return [load, 0, 0, 16 + 8 * index];
}

function encoded(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(8 * program.length);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * index);
    bytes.writeUInt8(ifTrue, 8 * index + 2);
    bytes.writeUInt8(ifFalse, 8 * index + 3);
    bytes.writeUInt32LE(value, 8 * index + 4);
  }
  return bytes;
}
