/**
 * `ava`, in a process whose V8 was told something: its threads share what the process was told, and would refuse to be
 * told themselves.
 */
process.execArgv = []
await import(new URL('../node_modules/ava/entrypoints/cli.js', import.meta.url).href)
// Of all signals SIGINT alone has the tests named that are not over.
process.on('SIGTERM', () => process.kill(process.pid, 'SIGINT'))
