import test from 'ava'
import sharp from 'sharp'
import { isRgbPicture } from '../../../../sandbox/official/media/picture.ts'

const made = () => sharp({ create: { width: 20, height: 20, channels: 3, background: '#c81e1e' } })

test('a picture of 8 bits in red, green and blue is told from others by its header', async (t) => {
  t.true(isRgbPicture(await made().jpeg().toBuffer()))
  t.true(isRgbPicture(await made().png().toBuffer()))
  t.true(isRgbPicture(await made().ensureAlpha().png().toBuffer()))
  t.false(isRgbPicture(await made().toColourspace('cmyk').jpeg().toBuffer()))
  t.false(isRgbPicture(await made().toColourspace('rgb16').png().toBuffer()))
  t.false(isRgbPicture(await made().png({ palette: true }).toBuffer()))
  t.is(isRgbPicture(Buffer.from('no picture')), null)
  t.is(isRgbPicture(Buffer.from([0xff, 0xd8, 0xff])), null)
})
