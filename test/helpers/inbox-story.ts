import type { TestFn } from 'ava'
import type { Browser, Locator } from 'playwright-core'
import { openBrowser, usesBrowser } from './browser.ts'
import { mintInbox, openInboxPage, serveInboxHost } from './inbox-page.ts'
import type { InboxHost, InboxPage } from './inbox-page.ts'
import { connectOfficial } from './official-service.ts'
import type { OfficialNumber } from './official-service.ts'
import { builtPages } from './pages.ts'
import type { PairedNumber, Service } from './service.ts'
import { joinService } from './shared-service.ts'

/**
 * A running service with a number of each kind, and a tenant's page for inboxes. It starts before the tests of a file
 * and stops after them.
 */
export interface InboxStory {
  readonly service: Service
  readonly number: PairedNumber
  readonly official: OfficialNumber
  readonly host: InboxHost
  readonly browser: Browser
  /** Mounts an inbox of both numbers. `more` are fields of its session. */
  mounted(about?: Partial<Parameters<typeof openInboxPage>[2]>, more?: object): Promise<InboxPage>
}

/** Opens everything that stories of the inbox need, for all tests of a file; the browser has a microphone. */
export function inboxStory(test: TestFn): InboxStory {
  const opened = {
    async mounted(about = {}, more = {}): Promise<InboxPage> {
      const { service, host, number, official, browser } = opened
      const { token } = await mintInbox(service, host, [number.id, official.id], more)
      return await openInboxPage(browser, host, { token, ...about })
    },
  } as { -readonly [K in keyof InboxStory]: InboxStory[K] }
  const ends: (() => unknown)[] = []
  test.before(async () => {
    if (!usesBrowser) return
    const t = { teardown: (end: () => unknown) => void ends.push(end) }
    await builtPages()
    opened.service = await joinService()
    opened.host = await serveInboxHost(t, opened.service)
    opened.browser = await openBrowser(t, ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'])
    ;[opened.number, opened.official] = await Promise.all([
      opened.service.pairNumber(),
      connectOfficial(opened.service),
    ])
  })
  test.after.always(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return opened
}

/** The conversation of the list in which a text stands. */
export function row({ frame }: InboxPage, text: string): Locator {
  return frame.locator('[data-conversation]', { hasText: text })
}

export function message({ frame }: InboxPage, text: string): Locator {
  return frame.locator('[data-message]', { hasText: text })
}

/** Writes a text into the open conversation, and sends it. */
export async function say({ frame }: InboxPage, text: string): Promise<void> {
  await frame.locator('[data-composer]').fill(text)
  await frame.locator('[data-action=send]').click()
}
