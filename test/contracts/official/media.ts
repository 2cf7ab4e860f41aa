import { until } from '../../helpers/until.ts'
import { connected, received, refusalOf, valueOf } from './world.ts'
import type { Story } from './world.ts'

/** How media files of users are downloaded. */
export function testMedia(story: Story): void {
  story('a media of a user is downloaded by its id, by its own phone alone', async (t, world) => {
    const line = await connected(t, world)
    const bytes = Buffer.from([0xff, 0xd8, 0xff, 0, 10])
    await world.writeIn(line.number, world.readingUser, {
      type: 'image',
      text: 'look',
      media: { base64: bytes.toString('base64'), mimeType: 'image/jpeg' },
    })
    const told = await until('it is told', () => received(line)[0])
    t.like(told, { messageType: 'image', content: { text: 'look', media: { url: null, mimeType: 'image/jpeg' } } })
    const mediaId = told.content.media?.id ?? ''
    t.deepEqual(valueOf(await world.officialOf(line.number.credentials).media.read(mediaId)), {
      bytes,
      mimeType: 'image/jpeg',
      fileName: null,
    })
    const other = await world.freshNumber()
    t.like(refusalOf(await world.officialOf(other.credentials).media.read(mediaId)), { code: 'NOT_FOUND' })
    t.like(refusalOf(await world.officialOf(line.number.credentials).media.read('1')), { code: 'NOT_FOUND' })
  })
}
