import test from 'ava'
import { isSigned, keepToSigned } from '../../src/process/signed-checks.ts'
import type { CheckSocket } from '../../src/process/signed-checks.ts'

/** RFC 5769 section 2.1: the sample request with a signature by the sample password. */
const PASSWORD = 'VOkJxbRl1RmTxUk/WvJxBt'
const SAMPLE = Buffer.from(
  '000100582112a442b7e7a701bc34d686fa87dfae802200105354554e207465737420636c69656e74002400046e0001ff80290008932ff9b151263b36'
    + '000600096576746a3a68367659202020000800149aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a280280004e57a3bcf',
  'hex',
)

test('a check is signed by the password of RFC 5769, and by no other, nor when it was changed or cut', (t) => {
  t.true(isSigned(SAMPLE, PASSWORD))
  t.false(isSigned(SAMPLE, `${PASSWORD}x`))
  for (const at of [4, 21, 40, 75, 80]) {
    const changed = Buffer.from(SAMPLE)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    t.false(isSigned(changed, PASSWORD), `byte ${at}`)
  }
  for (const bytes of [0, 4, 20, 22, 60, 78, 90]) t.false(isSigned(SAMPLE.subarray(0, bytes), PASSWORD), `${bytes}`)
})

test('checks that are not signed with our password never reach the stack; everything else does', (t) => {
  const taken: Buffer[] = []
  const socket: CheckSocket = { datagramReceived: (datagram) => void taken.push(datagram) }
  const connection = { localPassword: PASSWORD, ensureProtocol: () => {} }
  keepToSigned(connection)
  const ensure = connection.ensureProtocol as (socket: CheckSocket) => void
  ensure(socket)
  const unsigned = Buffer.concat([SAMPLE.subarray(0, 2), Buffer.from([0, 0]), SAMPLE.subarray(4, 20)])
  const answer = Buffer.from(unsigned)
  answer.writeUInt16BE(0x0101, 0)
  const audio = Buffer.from([128, 111, 0, 1])
  for (const datagram of [unsigned, SAMPLE, answer, audio]) socket.datagramReceived(datagram, ['192.0.2.1', 5])
  t.deepEqual(taken, [SAMPLE, answer, audio])
})
