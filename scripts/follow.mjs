// Loaded before a program: ends it when what started it is gone, so that even a demo that was killed leaves no server running.
const parent = process.ppid;
setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGTERM"), 1000).unref();
