import test from 'ava'
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

const brand = (primaryColor: string | null, backgroundColor: string | null) => ({ primaryColor, backgroundColor })
const light = (primaryColor: string | null, backgroundColor: string | null) =>
  themeOf(brand(primaryColor, backgroundColor)).light

test('a colour is as bright as WCAG says, each channel by its share', (t) => {
  const rows: readonly [string, string][] = [
    ['#ff0000', '0.2126'],
    ['#00ff00', '0.7152'],
    ['#0000ff', '0.0722'],
    ['#808080', '0.2159'],
    ['#0a0a0a', '0.0030'],
    ['#0b0b0b', '0.0033'],
    ['#123456', '0.0326'],
  ]
  for (const [color, bright] of rows) t.is(luminance(color).toFixed(4), bright, color)
  t.is(contrast('#123456', '#fedcba').toFixed(2), '9.79')
  t.is(contrast('#fedcba', '#123456').toFixed(2), '9.79')
  t.deepEqual(['#767676', '#757575', '#ffffff', '#000000'].map(readableOn), [
    '#000000',
    '#ffffff',
    '#000000',
    '#ffffff',
  ])
})

// [branding.theme.7]
test('muted text comes as near to the background as it can still be read', (t) => {
  const muted = (background: string) => light(null, background).muted
  t.deepEqual(['#ffffff', '#0f1513', '#ffff00', '#123456', '#808080'].map(muted), [
    '#666666',
    '#9fa1a1',
    '#666600',
    '#a0aebb',
    '#171717',
  ])
  for (const background of ['#ffffff', '#0f1513', '#ffff00', '#123456', '#808080'])
    t.true(contrast(muted(background), background) >= 4.5, background)
})

// [branding.theme.6]
test('a button stands out, or has a border; a link can be read, or has the colour of the text', (t) => {
  t.like(light('#767676', '#ffffff'), { link: '#767676', buttonBorder: null })
  t.like(light('#777777', '#ffffff'), { link: '#000000', buttonBorder: null })
  t.like(light('#949494', '#ffffff'), { link: '#000000', buttonBorder: null })
  t.like(light('#959595', '#ffffff'), { link: '#000000', buttonBorder: '#000000' })
})

// [branding.button.5]
test('a button has the colours of its style, and the rest of the theme', (t) => {
  const theme = light('#ffff00', '#ffffff')
  t.deepEqual(buttonColors({}, theme), { background: '#ffff00', text: '#000000', border: '#000000' })
  t.deepEqual(buttonColors({ backgroundColor: '#000000' }, theme), {
    background: '#000000',
    text: '#ffffff',
    border: null,
  })
  t.deepEqual(buttonColors({ borderColor: '#123456', textColor: '#333333' }, theme), {
    background: '#ffff00',
    text: '#333333',
    border: '#123456',
  })
  t.is(buttonColors({ backgroundColor: '#000000', borderColor: '#111111' }, theme).border, '#111111')
  t.is(buttonColors({ backgroundColor: '#ffffff', textColor: '#767676' }, theme).text, '#767676')
  t.is(buttonColors({ backgroundColor: '#ffffff', textColor: '#777777' }, theme).text, '#000000')
  const look = { ...DEFAULT_LOOK, ...brand(null, null), button: { textColor: '#ffffff' } }
  t.is(withReadableButton(look, themeOf(look)), look, 'its text can be read in one mode')
})

// [branding.routes.7]
test('a warning says what a colour has, what it needs and what is drawn in its place', (t) => {
  t.deepEqual(themeWarnings(brand('#959595', '#ffffff')), [
    {
      path: 'primaryColor',
      message:
        '#959595 has 2.99:1 on #ffffff, of 4.5:1 that text needs: links are drawn in #000000, and buttons get a border',
    },
  ])
  t.deepEqual(
    themeWarnings(brand('#777777', null)).map(({ message }) => message),
    [
      '#777777 has 4.47:1 on #ffffff in light mode, of 4.5:1 that text needs: links are drawn in #000000',
      '#777777 has 4.12:1 on #0f1513 in dark mode, of 4.5:1 that text needs: links are drawn in #ffffff',
    ],
  )
})
