import test from 'ava'
import { contrast, themeOf } from '../../src/domain/contrast.ts'
import { lookOf, PLAIN } from '../../web/chat/model/look.ts'
import { shadesOf } from '../../web/chat/shades.ts'

/** Pseudo-random colours, the same in every run (a linear congruential generator). */
function* colors(): Generator<string> {
  for (let seed = 17; ;) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    yield `#${(seed >> 7).toString(16).padStart(6, '0').slice(-6)}`
  }
}

test('on the shades of 5,000 pairs of colours texts have 4.5:1, and signs and fields 3:1', (t) => {
  const some = colors()
  const next = (): string => some.next().value as string
  for (let pair = 0; pair < 5_000; pair++) {
    const brand = { primaryColor: next(), backgroundColor: pair % 5 === 0 ? null : next() }
    for (const theme of new Set(Object.values(themeOf(brand)))) {
      const { soft, ours, muted, fieldLine, danger } = shadesOf(theme)
      const { text, link, background } = theme
      const texts = [
        contrast(text, soft),
        contrast(text, ours),
        contrast(muted, background),
        contrast(muted, soft),
        contrast(danger, background),
      ]
      const signs = [
        contrast(link, soft),
        contrast(link, ours),
        contrast(danger, ours),
        contrast(fieldLine, background),
      ]
      if (Math.min(...texts) < 4.5 || Math.min(...signs) < 3)
        return t.fail(`${JSON.stringify(brand)}: ${texts.join(' ')}; ${signs.join(' ')}`)
    }
  }
  t.pass()
})

test('the shades of the plain theme are told from its background', (t) => {
  for (const theme of Object.values(themeOf({ primaryColor: null, backgroundColor: null }))) {
    const { soft, ours, line } = shadesOf(theme)
    t.is(new Set([soft, ours, line, theme.background]).size, 4)
  }
})

test("the host's colours take precedence over the session's, and are adjusted if a text would be unreadable", (t) => {
  const session = themeOf({ primaryColor: '#0000aa', backgroundColor: null })
  t.is(lookOf(session, PLAIN), session)
  t.is(lookOf(session, { primary: '#aa0000', background: null }).light.primary, '#aa0000')
  t.is(lookOf(session, { primary: null, background: '#101010' }).light.primary, '#0000aa')
  t.is(lookOf(session, { primary: '#ffff00', background: '#ffffff' }).light.link, '#000000')
  t.is(lookOf(null, { primary: null, background: null }).light.background, '#ffffff')
})
