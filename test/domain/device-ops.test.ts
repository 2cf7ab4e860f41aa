import test from 'ava'
import { asWritten, byWord, DEVICE_OP_NAMES, DEVICE_OPS, mended } from '../../src/domain/device-ops.ts'
import type { DeviceOpRow } from '../../src/domain/device-ops.ts'

for (const op of DEVICE_OP_NAMES) {
  test(`the example of ${op} is a question and an answer of its form`, (t) => {
    const { question, answer, example }: DeviceOpRow = DEVICE_OPS[op]
    t.deepEqual(question.parse(example.question), example.question)
    for (const mend of [mended, asWritten]) t.deepEqual(answer(mend).parse(example.answer), example.answer)
  })
}

test('every op has a word of its own', (t) => {
  t.is(Object.keys(byWord(() => null)).length, DEVICE_OP_NAMES.length)
})

test('a field that an engine leaves out gets a default, or is a fault when answers are checked', (t) => {
  const { answer } = DEVICE_OPS.getGroup
  t.deepEqual(answer(mended).parse({ id: '1@g.us', participants: [{ number: '+55 11 90000-0001' }] }), {
    id: '1@g.us',
    name: '',
    participants: [{ number: '5511900000001', isAdmin: false }],
  })
  t.false(answer(asWritten).safeParse({ id: '1@g.us', name: 'Team' }).success)
})
