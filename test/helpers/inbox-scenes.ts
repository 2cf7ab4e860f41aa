import type { InboxPage } from './inbox-page.ts'
import { message } from './scripted-inbox.ts'
import type { InboxScript } from './scripted-inbox.ts'

/** The script that leads from a full inbox on a narrow screen to each state. */
export const SCENES: readonly (readonly [
  name: string,
  script: Partial<InboxScript>,
  state: string,
  act?: (inbox: InboxPage) => Promise<void>,
])[] = [
  ['loading', { session: null }, 'loading'],
  ['error', { session: { status: 503, body: {} } }, 'error'],
  ['empty', { conversations: [] }, 'empty'],
  ['a list', {}, 'ready'],
  [
    'nothing found',
    {},
    'ready',
    async ({ frame }) => {
      await frame.locator('input[data-search]').fill('nothing')
      await frame.locator('.side .notice').waitFor()
    },
  ],
  [
    'a thread of every kind',
    {},
    'ready',
    async ({ frame }) => {
      await frame.locator('[data-conversation=conv_1]').click()
      await frame.locator('[data-failure]').waitFor()
      await frame.locator('[data-action=emoji]').click()
      await frame.locator('.emoji-panel').waitFor()
    },
  ],
  [
    'a number that is not connected, its window closing',
    {},
    'ready',
    async ({ frame }) => {
      await frame.locator('[data-conversation=conv_2]').click()
      await frame.locator('[data-window=closing] [data-composer]').waitFor()
    },
  ],
  [
    'a template in place of the field',
    {},
    'ready',
    async ({ frame }) => {
      await frame.locator('[data-conversation=conv_5]').click()
      await frame.locator('[data-template]').click()
      await frame.locator('[data-preview]').waitFor()
    },
  ],
  [
    'messages that are not kept, and no network',
    { messages: [message(1, 1, { content: null, redacted: true })] },
    'ready',
    async ({ frame, context }) => {
      await frame.locator('[data-conversation=conv_1]').click()
      await frame.locator('.banner').waitFor()
      await context.setOffline(true)
      await frame.locator('main[data-connection=offline]').waitFor()
    },
  ],
  [
    'a session that is over',
    {},
    'ready',
    async ({ frame, page, context }) => {
      await frame.locator('[data-conversation=conv_1]').click()
      await frame.locator('[data-failure]').waitFor()
      await context.route('**/api/public/embed/conversations/**', (route) =>
        route.fulfill({
          status: 401,
          contentType: 'application/json',
          body: '{"error":"over","code":"TOKEN_REVOKED"}',
        }),
      )
      await page.evaluate(() => (globalThis as any).handle.openConversation('conv_unknown'))
      await frame.locator('main[data-state=expired]').waitFor()
    },
  ],
]

/** Runs in the frame: pastes or drops files with the events of a browser. */
export function handOver(
  element: any,
  { type, names }: { readonly type: 'paste' | 'drop'; readonly names: string[] },
): void {
  const { ClipboardEvent, DataTransfer, DragEvent, File } = element.ownerDocument.defaultView
  const data = new DataTransfer()
  for (const name of names) data.items.add(new File(['text'], name, { type: 'text/plain' }))
  const options = { bubbles: true, cancelable: true }
  element.dispatchEvent(
    type === 'paste'
      ? new ClipboardEvent(type, { ...options, clipboardData: data })
      : new DragEvent(type, { ...options, dataTransfer: data }),
  )
}
