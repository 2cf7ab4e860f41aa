import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { InboxStory } from './inbox-story.ts'
import { mintInbox, openInboxPage } from './inbox-page.ts'
import type { InboxPage } from './inbox-page.ts'
import { fullInbox, scriptInbox } from './scripted-inbox.ts'
import type { InboxScript } from './scripted-inbox.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** An inbox whose service answers as the script says; a function makes the script from a full inbox. */
export async function scripted(
  story: InboxStory,
  change: Partial<InboxScript> | ((full: InboxScript) => Partial<InboxScript>) = {},
  about: Pick<Parameters<typeof openInboxPage>[2], 'options' | 'browser' | 'prepare' | 'state'> = {},
): Promise<InboxPage & { readonly script: InboxScript }> {
  const { service, host, number, browser } = story
  const { token } = await mintInbox(service, host, [number.id])
  const answer = await fetch(`${service.base}/api/public/embed/session`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const full = fullInbox((await answer.json()) as object)
  const script = { ...full, ...(typeof change === 'function' ? change(full) : change) }
  const prepare = async (context: InboxPage['context']): Promise<void> => {
    await scriptInbox(context, script)
    await about.prepare?.(context)
  }
  return { script, ...(await openInboxPage(browser, host, { ...about, token, prepare })) }
}

/** What axe finds in the frame of an inbox ([inbox.features.8]). */
export async function violationsIn({ page }: InboxPage): Promise<string[]> {
  const frame = page.frames().find((one) => one !== page.mainFrame())
  await frame?.evaluate(AXE)
  return (
    (await frame?.evaluate(async (runOnly) => {
      const { violations } = await (globalThis as any).axe.run({ runOnly })
      return violations.map(({ id, nodes }: any) => `${id}: ${nodes.map(({ html }: any) => html).join(' | ')}`)
    }, TAGS)) ?? ['no frame']
  )
}

/** What axe finds in light and dark, and in each language, whether the frame is wider than its window. */
export async function faultsOfLooks(inbox: InboxPage): Promise<string[]> {
  const { page, frame } = inbox
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await frame.locator(`html[style*="color-scheme: ${colorScheme}"]`).waitFor()
    await frame.locator('html').evaluate(async (element: any) => {
      await Promise.all(element.ownerDocument.getAnimations().map((one: any) => one.finished.catch(() => null)))
    })
    found.push(...(await violationsIn(inbox)).map((one) => `${colorScheme} ${one}`))
  }
  for (const lang of ['pt', 'es', 'en']) {
    await page.evaluate((locale) => (globalThis as any).handle.setLocale(locale), lang)
    const drawn = frame.locator(`html[lang=${lang}]`)
    await drawn.waitFor()
    if (await drawn.evaluate(({ scrollWidth, clientWidth }: any) => scrollWidth > clientWidth))
      found.push(`${lang} is too wide`)
  }
  return found
}
