import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { inboxStory, row } from '../helpers/inbox-story.ts'
import { newPeer, send, write } from '../helpers/message-service.ts'
import { faultsOfLooks, scripted } from '../helpers/scripted-frame.ts'
import { conversation } from '../helpers/scripted-inbox.ts'

const story = inboxStory(test)

// [inbox.features.19]
inBrowser('a sent list and a sent poll show what there is to choose from, as the person sees it', async (t) => {
  const { service, number } = story
  const inbox = await story.mounted({ browser: { viewport: { width: 360, height: 900 } } })
  const { frame } = inbox
  const peer = newPeer()
  await write(service, peer, number, { text: `what is there ${peer}` })
  const list = {
    text: 'Choose a day',
    button: 'Days',
    header: 'Delivery',
    footer: 'Until noon',
    sections: [
      { title: 'This week', rows: [{ id: 'sat', title: 'Saturday', description: 'From 8 to 12' }] },
      { title: 'Next week', rows: [{ id: 'mon', title: 'Monday' }] },
    ],
  }
  await send(service, number, { destinationNumber: peer, list })
  await send(service, number, {
    destinationNumber: peer,
    poll: { question: 'Which colours?', options: ['Red', 'Blue'], multiple: true },
  })
  await row(inbox, 'Which colours?').click()
  const shown = async (text: string): Promise<string[]> => {
    const one = frame.locator('[data-type=interactive]', { hasText: text })
    await one.waitFor()
    return (await one.locator('.bubble').innerText())
      .split(/\s*\n\s*/)
      .filter((line) => !/^\d|^$|^(Sent|Delivered|Read)$/.test(line))
  }
  t.deepEqual(await shown('Choose a day'), [
    'Delivery',
    'Choose a day',
    'Until noon',
    'This week',
    'Saturday',
    'From 8 to 12',
    'Next week',
    'Monday',
    'Days',
  ])
  t.deepEqual(await shown('Which colours?'), ['Which colours?', 'Red', 'Blue', 'Poll, several answers'])
  t.deepEqual(await faultsOfLooks(inbox), [])
  t.deepEqual(inbox.faults, [])
  await inbox.context.close()
})

// [inbox.features.20]
inBrowser('what else a person is known by stands under the name and in the pane, without ids of devices', async (t) => {
  const identities = [
    { kind: 'PHONE', value: '551190001001' },
    { kind: 'PHONE', value: '5511990001001' },
    { kind: 'USER_ID', value: 'US.1349' },
    { kind: 'LID', value: '99@lid' },
  ] as const
  const known = conversation(1, { from: '551190001001', fromName: 'Ana Souza', identities })
  const inbox = await scripted(
    story,
    { conversations: [known] },
    { browser: { viewport: { width: 360, height: 640 } } },
  )
  const { frame } = inbox
  await frame.locator('[data-conversation=conv_1]').click()
  const line = frame.locator('.thread-number[title]')
  t.is(await line.innerText(), '+551190001001 · +5511990001001 · US.1349 · Front desk')
  const { height = 99 } = (await line.boundingBox()) ?? {}
  t.true(height < 30, 'one line, however many')
  await frame.locator('[data-action=person]').click()
  const facts = frame.locator('[data-aside=person] .facts')
  await facts.waitFor()
  const said = (await facts.innerText()).replace(/\s+/g, ' ')
  t.regex(said, /Also known as \+5511990001001 .*Also known as US\.1349/)
  t.notRegex(said, /lid/)
  t.deepEqual(await faultsOfLooks(inbox), [])
  await inbox.context.close()
})
