import test from 'ava'
import { readMedia } from '../../../src/commands/media/read.ts'
import { World } from '../../helpers/world.ts'
import { codeOf, valueOf } from '../outcomes.ts'

test("a media is read of the number's own phone, under an id that leads nowhere else", async (t) => {
  const world = new World()
  const { number } = world.addOfficial()
  const read = (mediaId: string, phoneId = '1000', of = number) =>
    readMedia(world.official.ports(), { number: of, phoneId, mediaId })
  t.is(valueOf(await read('123')).mimeType, 'image/jpeg')
  t.is(codeOf(await read('123', '1001')), 'NOT_FOUND')
  t.is(codeOf(await read('../me')), 'NOT_FOUND')
  t.is(codeOf(await read('123', '1000', world.number)), 'FEATURE_NOT_SUPPORTED')
  t.is(world.official.upstream.asked.length, 1)
})
