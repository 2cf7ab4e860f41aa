import test from 'ava'
import { codeOf, valueOf } from '../outcomes.ts'
import { openOfficialRig } from './official-rig.ts'

test("a media is read only from the number's own phone, and its id cannot lead to another path", async (t) => {
  const { world, number, official, upstream } = openOfficialRig()
  const read = (mediaId: string, phoneId = '1000', of = number) => official.readMedia({ number: of, phoneId, mediaId })
  t.is(valueOf(await read('123')).mimeType, 'image/jpeg')
  t.is(codeOf(await read('123', '1001')), 'NOT_FOUND')
  t.is(codeOf(await read('../me')), 'NOT_FOUND')
  t.is(codeOf(await read('123', '1000', world.number)), 'FEATURE_NOT_SUPPORTED')
  t.is(upstream.asked.length, 1)
})
