import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { ROOT } from './source-files.ts'

/*
 * A reader who knows one guide finds the same things at the same place in every other one. The index of the guides
 * lists them.
 */

/** The headings of a guide, in their order. A guide leaves out what does not apply to it. */
const OUTLINE = ['First success', 'How it works', 'Reference', 'Limits and errors', 'Choices', 'Operation']

/** Pages that the index lists beside the guides, and what they are instead. */
const NO_GUIDES: Readonly<Record<string, string>> = {
  'architecture.md': 'explains the code to contributors',
  'configuration.md': 'a table that is generated from the code',
  'glossary.md': 'a table of words',
  'metrics.md': 'a table that is held to the code',
  'performance.md': 'figures and how they were measured',
  'rfcs.md': 'a table of standards',
  'specification.md': 'the request that the service answers',
}

/** Guides with headings of their own behind the first success. */
const OWN_HEADINGS: Readonly<Record<string, string>> = {
  'start.md': 'a tour: each heading is a station',
}

const linked = [...readFileSync(join(ROOT, 'docs/README.md'), 'utf8').matchAll(/\]\(([a-z-]+\.md)\)/g)]
const LISTED = [...new Set(linked.map(([, name = '']) => name))].toSorted()
const GUIDES = LISTED.filter((name) => !(name in NO_GUIDES))

/** The text of a guide without its code blocks, in which a comment may look like a heading. */
function proseOf(guide: string): string {
  return readFileSync(join(ROOT, 'docs', guide), 'utf8').replaceAll(/^```[^]*?^```$/gm, '')
}

/** The main headings of a guide, as they follow one another. */
function headingsOf(guide: string): string[] {
  return [...proseOf(guide).matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading)
}

/** What stands between the title of a guide and its first heading. */
function openingOf(guide: string): string {
  return /^# .*\n([^]*?)^## /m.exec(proseOf(guide))?.[1]?.trim() ?? ''
}

test('the index lists guides and other pages', (t) => {
  t.true(GUIDES.length > 15)
  t.deepEqual(
    Object.keys(NO_GUIDES).filter((name) => !LISTED.includes(name)),
    [],
  )
})

test('a guide opens with one or two sentences that say what it is for', (t) => {
  for (const guide of GUIDES) {
    const opening = openingOf(guide)
    t.false(opening.includes('\n\n'), guide)
    t.regex(opening, /[.!?]$/, guide)
    const ends = opening.match(/[.!?](?=\s|$)/g) ?? []
    t.true(ends.length <= 2, `${guide}: ${ends.length} sentences`)
  }
})

test('the first heading of a guide is its first success, which has lines to copy', (t) => {
  for (const guide of GUIDES) {
    t.is(headingsOf(guide)[0], OUTLINE[0], guide)
    const text = readFileSync(join(ROOT, 'docs', guide), 'utf8')
    t.regex(text.split(/^## /m)[1] ?? '', /^```(?:sh|bash)$/m, guide)
  }
})

test('guides have the same headings in the same order', (t) => {
  for (const guide of GUIDES.filter((name) => !(name in OWN_HEADINGS))) {
    const headings = headingsOf(guide)
    t.deepEqual(
      headings,
      OUTLINE.filter((heading) => headings.includes(heading)),
      guide,
    )
  }
})

test('a guide ends with where its rules stand', (t) => {
  for (const guide of GUIDES.filter((name) => !(name in OWN_HEADINGS)))
    t.regex(
      proseOf(guide),
      /\n\nEvery rule, with its mark: (?:(?:,| and)?\s*\[[\w-]+\]\(contract\/[\w-]+\.md\))+\.\n$/,
      guide,
    )
})

test('no guide is let off that has the common headings', (t) => {
  for (const guide of Object.keys(OWN_HEADINGS))
    t.true(
      headingsOf(guide).some((heading) => !OUTLINE.includes(heading)),
      guide,
    )
})
