/**
 * The receiver of the bench, a process of its own: it answers 200 at once and notes the age of each event on arrival.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const TIMESTAMP = '"timestamp":"'

let count = 0
let agesMs: number[] = []

const server = createServer((request, response) => {
  const nowMs = Date.now()
  let head = ''
  request
    .on('data', (part: Buffer) => {
      if (head === '') head = part.subarray(0, 300).toString('latin1')
    })
    .on('end', () => {
      count++
      const at = head.indexOf(TIMESTAMP)
      if (at >= 0) agesMs.push(nowMs - Date.parse(head.slice(at + TIMESTAMP.length, at + TIMESTAMP.length + 24)))
      response.end('ok')
    })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

process.on('message', () => {
  process.send?.({ count, agesMs })
  count = 0
  agesMs = []
})
process.on('disconnect', () => process.exit(0))
