/**
 * Loaded into an engine before its program (`--import`): answers each connection to the Unix socket MEMORY_PROBE with a
 * line of JSON, the process's memory after two full collections, in bytes. With MEMORY_SNAPSHOT it also writes a heap
 * snapshot to that file.
 */
import { createServer } from 'node:net'
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const { MEMORY_PROBE: path, MEMORY_SNAPSHOT: snapshot } = process.env

createServer((socket) => {
  // What a collection finalises is freed by the next.
  collect()
  collect()
  socket.end(`${JSON.stringify(process.memoryUsage())}\n`)
  if (snapshot !== undefined) writeHeapSnapshot(snapshot)
})
  .listen(path)
  .unref()
