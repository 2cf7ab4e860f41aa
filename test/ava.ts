/**
 * Runs `ava` in a process that was started with V8 options. Its threads inherit them, and a thread that got them as
 * arguments would refuse to start.
 */
process.execArgv = []
await import(new URL('../node_modules/ava/entrypoints/cli.js', import.meta.url).href)
// ava names the unfinished tests only on SIGINT.
process.on('SIGTERM', () => process.kill(process.pid, 'SIGINT'))
