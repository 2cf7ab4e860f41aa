import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import type { InboxPage } from '../helpers/inbox-page.ts'
import { inboxStory, message, row, say } from '../helpers/inbox-story.ts'
import { newPeer, write } from '../helpers/message-service.ts'
import { faultsOfLooks, scripted } from '../helpers/scripted-frame.ts'
import { conversation } from '../helpers/scripted-inbox.ts'
import { until } from '../helpers/until.ts'

const story = inboxStory(test)

/** What the peer was shown of numbers that write to it, in order. */
async function shownTo(peer: string): Promise<string[]> {
  const { typing } = (await story.service.control('GET', `/peers/${peer}/typing`)).body
  return typing.map(({ state }: { readonly state: string }) => state)
}

/** The peer writes, until the network passes it on: it does so once the number is online. */
async function types(peer: string, state: string): Promise<void> {
  await until(`the network passes ${state} on`, async () => {
    const body = { to: story.number.digits, state }
    return (await story.service.control('POST', `/peers/${peer}/typing`, body)).body.isSent === true
  })
}

/** Opens a conversation that a new person has just begun. */
async function opened(): Promise<{ readonly inbox: InboxPage; readonly peer: string }> {
  const inbox = await story.mounted()
  const peer = newPeer()
  await write(story.service, peer, story.number, { text: `hello of ${peer}` })
  await row(inbox, `hello of ${peer}`).click()
  await message(inbox, `hello of ${peer}`).waitFor()
  return { inbox, peer }
}

// [inbox.features.21] [embeds.typing.1]
inBrowser('the person sees that the agent writes, and no more once the field is empty', async (t) => {
  const { inbox, peer } = await opened()
  const field = inbox.frame.locator('[data-composer]')
  await field.pressSequentially('I am on it, one moment')
  await until('the person is shown it', async () => (await shownTo(peer)).length > 0)
  t.deepEqual(new Set(await shownTo(peer)), new Set(['typing']))
  await until('the end is passed on', async () => {
    // The service passes on one state a second, so an end that came sooner is asked for again.
    await field.fill('')
    if ((await shownTo(peer)).includes('paused')) return true
    await field.pressSequentially('x')
    return false
  })
  await say(inbox, 'done')
  await message(inbox, 'done').waitFor()
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

// [inbox.features.21]
inBrowser('typing is asked for only where it can be shown, and a request that fails changes nothing', async (t) => {
  const cases = [
    [
      'a number that can',
      { can: { edits: false, revocations: false, typing: true }, state: 'OPEN' },
      ['typing', 'paused'],
    ],
    ['a service that does not say', { can: { edits: false, revocations: false }, state: 'OPEN' }, []],
    ['a number that is away', { can: { edits: false, revocations: false, typing: true }, state: 'CLOSE' }, []],
  ] as const
  for (const [what, about, expected] of cases) {
    const numbers = [{ id: 'num_a', name: 'Desk', number: '1', provider: 'UNOFFICIAL', ...about }]
    const inbox = await scripted(story, ({ session }) => ({
      conversations: [conversation(1)],
      session: { status: 200, body: { ...session?.body, numbers } },
    }))
    const asked: string[] = []
    inbox.page.on('request', (request) => {
      const { state } = request.url().endsWith('/typing') ? request.postDataJSON() : {}
      if (state) asked.push(state)
    })
    const { frame } = inbox
    await frame.locator('[data-conversation=conv_1]').click()
    const field = frame.locator('[data-composer]')
    await field.pressSequentially('hello')
    t.is(await field.inputValue(), 'hello', what)
    await field.fill('')
    // The search comes behind what the field asked for, and asks for nothing itself.
    await Promise.all([
      inbox.page.waitForRequest((request) => request.url().includes('/search?')),
      frame.locator('input[data-search]').pressSequentially('Ana'),
    ])
    t.deepEqual(asked, [...expected], what)
    t.is(await frame.locator('main').getAttribute('data-state'), 'ready')
    await inbox.context.close()
  }
})

// [inbox.features.22] [inbox.hooks.13] [embeds.typing.2] [inbox.features.8]
inBrowser('that the person writes or records stands under the name, until it ended or a message came', async (t) => {
  const { service, number } = story
  await service.api('PATCH', `/v1/numbers/${number.id}`, service.tenantKey, { settings: { alwaysOnline: true } })
  const { inbox, peer } = await opened()
  const { frame } = inbox
  const shown = (state: string) => frame.locator(`.thread-head [aria-live=polite] [data-typing=${state}]`)
  await types(peer, 'typing')
  await shown('typing').filter({ hasText: 'typing…' }).waitFor()
  t.deepEqual(await faultsOfLooks(inbox), [])
  // One a second is told, so each state is told until it is shown.
  const seen = async (state: string, isShown: () => Promise<boolean>) =>
    until(`${state} is shown`, async () => {
      await types(peer, state)
      return isShown()
    })
  await seen('recording', async () => (await shown('recording').count()) === 1)
  await shown('recording').filter({ hasText: 'recording…' }).waitFor()
  await seen('paused', async () => (await frame.locator('[data-typing]').count()) === 0)
  await seen('typing', async () => (await shown('typing').count()) === 1)
  await write(service, peer, number, { text: `so it is, ${peer}` })
  await message(inbox, `so it is, ${peer}`).waitFor()
  await frame.locator('[data-typing]').waitFor({ state: 'detached' })
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})
