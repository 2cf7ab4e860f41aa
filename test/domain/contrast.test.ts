import test from 'ava'
import fc from 'fast-check'
import { DEFAULT_LOOK } from '../../src/domain/branding.ts'
import {
  buttonColors,
  contrast,
  luminance,
  readableOn,
  themeOf,
  themeWarnings,
  withReadableButton,
} from '../../src/domain/contrast.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const brand = (primaryColor: string | null, backgroundColor: string | null) => ({ primaryColor, backgroundColor })

test('luminance and contrast are those of WCAG', (t) => {
  t.is(luminance('#000000'), 0)
  t.is(luminance('#ffffff'), 1)
  t.is(contrast('#ffffff', '#000000'), 21)
  t.is(contrast('#777777', '#ffffff').toFixed(2), '4.48')
  t.is(contrast('#0a7f5a', '#ffffff').toFixed(2), contrast('#ffffff', '#0a7f5a').toFixed(2))
})

// [branding.theme.2] [branding.theme.4]
test('a page without a brand has the colours of the service', (t) => {
  const { light, dark } = themeOf(brand(null, null))
  t.like(light, {
    background: '#ffffff',
    text: '#000000',
    primary: '#0a7f5a',
    onPrimary: '#ffffff',
    link: '#0a7f5a',
    buttonBorder: null,
  })
  t.like(dark, {
    background: '#0f1513',
    text: '#ffffff',
    primary: '#2dd4a0',
    onPrimary: '#000000',
    link: '#2dd4a0',
    buttonBorder: null,
  })
})

// [branding.theme.3] [branding.theme.5] [branding.theme.7] [branding.theme.1] [branding.theme.6]
test('every text of a theme can be read, whatever the colours', (t) => {
  fc.assert(
    fc.property(color, color, fc.boolean(), (primary, background, isWhole) => {
      const theme = themeOf(brand(primary, isWhole ? background : null))
      for (const colors of [theme.light, theme.dark]) {
        const pairs = [
          [colors.text, colors.background],
          [colors.muted, colors.background],
          [colors.link, colors.background],
          [colors.onPrimary, colors.primary],
        ] as const
        if (pairs.some(([one, other]) => contrast(one, other) < 4.5)) return false
        const stands = contrast(colors.primary, colors.background) >= 3
        if (stands !== (colors.buttonBorder === null)) return false
        if (!stands && contrast(colors.buttonBorder ?? colors.background, colors.background) < 3) return false
      }
      return !isWhole || theme.light === theme.dark
    }),
    { numRuns: 5_000 },
  )
  t.pass()
})

test('every text of a button can be read, whatever the colours of button and page', (t) => {
  fc.assert(
    fc.property(color, color, fc.option(color, { nil: undefined }), color, (primary, background, own, textColor) => {
      const button = { textColor, ...(own === undefined ? {} : { backgroundColor: own }) }
      const drawn = buttonColors(button, themeOf(brand(primary, background)).light)
      return contrast(drawn.text, drawn.background) >= 4.5
    }),
    { numRuns: 2_000 },
  )
  t.pass()
})

// [branding.theme.6]
test('a theme keeps the colours of a brand that can be read, and mends those that cannot', (t) => {
  t.like(themeOf(brand('#ffff00', '#ffffff')).light, {
    primary: '#ffff00',
    onPrimary: '#000000',
    link: '#000000',
    buttonBorder: '#000000',
  })
  t.like(themeOf(brand('#808080', '#808080')).light, {
    text: readableOn('#808080'),
    link: '#000000',
    buttonBorder: '#000000',
  })
  t.like(themeOf(brand('#000000', '#000000')).light, {
    text: '#ffffff',
    onPrimary: '#ffffff',
    link: '#ffffff',
    buttonBorder: '#ffffff',
  })
  t.like(themeOf(brand('#7a7a7a', '#ffffff')).light, { link: '#000000', buttonBorder: null })
})

// [branding.routes.7]
test('a tenant is warned of a colour that the theme mends, and of no other', (t) => {
  t.deepEqual(themeWarnings(brand(null, null)), [])
  t.deepEqual(themeWarnings(brand(null, '#808080')), [])
  t.deepEqual(themeWarnings(brand('#0a7f5a', '#ffffff')), [])
  const [warning, ...more] = themeWarnings(brand('#ffff00', '#ffffff'))
  t.is(warning?.path, 'primaryColor')
  t.regex(warning?.message ?? '', /1\.07:1 on #ffffff.*#000000.*border/)
  t.deepEqual(more, [])
  t.deepEqual(
    themeWarnings(brand('#0a7f5a', null)).map(({ message }) => /in (\w+) mode/.exec(message)?.[1]),
    ['dark'],
  )
})

// [branding.button.5]
test('a text colour of a button that cannot be read is replaced by black or white', (t) => {
  const look = (primaryColor: string | null, button: object) => {
    const branding = { ...DEFAULT_LOOK, primaryColor, button }
    return withReadableButton(branding, themeOf(branding)).button
  }
  t.deepEqual(look(null, { backgroundColor: '#ffffff', textColor: '#eeeeee' }), {
    backgroundColor: '#ffffff',
    textColor: '#000000',
  })
  t.deepEqual(look('#101010', { textColor: '#202020' }), { textColor: '#ffffff' })
  t.deepEqual(look('#101010', { textColor: '#ffffff' }), { textColor: '#ffffff' })
  t.deepEqual(look(null, { label: 'Go' }), { label: 'Go' })
  t.deepEqual(look(null, { textColor: '#ffffff' }), { textColor: '#ffffff' })
})
