import test from 'ava'
import { LANGUAGES } from '../../web/words/language.ts'
import { builtPages, firstLoadBytes } from '../helpers/pages.ts'

/** Largest first load of each page, JS and CSS after gzip, in bytes ([inbox.budgets.1] [dashboard.budgets.1]). */
const BUDGETS: Readonly<Record<string, number>> = {
  connect: 25 * 1024,
  chat: 60 * 1024,
  people: 25 * 1024,
  dashboard: 90 * 1024,
}
/** The largest allowed size of what a page of the dashboard loads of its own ([dashboard.budgets.2]). */
const PAGE_BUDGET = 40 * 1024
/** The largest allowed size of `embed.js`, measured in the same way ([inbox.budgets.1]). */
const SCRIPT_BUDGET = 6 * 1024

test('the first load of every page keeps within its budget', async (t) => {
  const assets = await builtPages()
  const pages = [...assets.files.keys()].flatMap((path) => /^pages\/(.+)\.html$/.exec(path)?.[1] ?? [])
  t.true(pages.includes('connect'))
  for (const page of pages) {
    const bytes = firstLoadBytes(assets, page)
    t.true(bytes > 0, page)
    t.true(bytes <= (BUDGETS[page] ?? 0), `${page}: ${bytes} bytes`)
  }
})

/** The page files of the dashboard, by the name of their page. */
const PAGE_FILE = /^dashboard\/pages\/([\w-]+)\/page\.tsx$/

test('the first load of each page of the dashboard keeps within the budget, with nothing of another page in it', async (t) => {
  const assets = await builtPages()
  const names = Object.keys(assets.later).flatMap((source) => PAGE_FILE.exec(source)?.[1] ?? [])
  t.true(names.includes('overview'))
  for (const name of names) {
    const own = LANGUAGES.map((lang) => [`dashboard/pages/${name}/page.tsx`, `words/dashboard/${name}/${lang}.ts`])
    const bytes = Math.max(...own.map((runs) => firstLoadBytes(assets, 'dashboard', runs)))
    t.true(bytes <= (BUDGETS['dashboard'] ?? 0), `${name}: ${bytes} bytes`)
    t.true(bytes - firstLoadBytes(assets, 'dashboard') <= PAGE_BUDGET, `${name}: ${bytes} bytes of its own and others'`)
    t.true(bytes > firstLoadBytes(assets, 'dashboard'), `${name} is loaded when it is shown`)
  }
})

test('the script of the SDK keeps within its budget', async (t) => {
  const bytes = (await builtPages()).files.get('embed/embed.js')?.facts.gzipBytes ?? Number.NaN
  t.true(bytes <= SCRIPT_BUDGET, `${bytes} bytes`)
})

// [pages.headers.7]
test('no page holds a script or a style that a policy without unsafe-inline refuses, or names another host', async (t) => {
  const { files } = await builtPages()
  for (const [path, { bytes }] of files) {
    if (!path.endsWith('.html')) continue
    const html = bytes.toString('utf8')
    t.notRegex(html, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/, path)
    t.deepEqual(
      [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
        .map(([, url = '']) => url)
        .filter((url) => !url.startsWith('/assets/') && url !== 'data:,'),
      [],
      path,
    )
  }
})
