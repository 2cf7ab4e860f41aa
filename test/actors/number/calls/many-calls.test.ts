import test from 'ava'
import { until } from '../../../helpers/until.ts'
import { connectedNumber, createRig } from '../../rig.ts'

test('a number whose engine lets more calls ring than any phone has takes 500 of them, and is not told of the others', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  const seqs = Array.from({ length: 510 }, (_, at) =>
    rig.driver.last.raise({ type: 'incomingCall', externalCallId: `in-${at}`, from: '5511988880001', sdp: 'v=0' }),
  )
  await until('all are settled', () => seqs.every((seq) => rig.driver.last.settled.includes(seq)))
  t.is(rig.rows.calls.size, 500)
})
