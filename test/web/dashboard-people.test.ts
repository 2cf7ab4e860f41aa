import test from 'ava'
import { inBrowser } from '../helpers/browser.ts'
import { DashboardStage, sessionOf } from '../helpers/dashboard-stage.ts'
import { PEOPLE, TEAM } from '../helpers/people-page-scenes.ts'
import type { Script } from '../helpers/people-scenes.ts'

const stage = new DashboardStage(test)

const [ANA, BOB, CLEO] = PEOPLE
const LINK = 'http://127.0.0.1/invite#QWxhZGRpbjpvcGVuIHNlc2FtZQ'

async function open(script: Script = {}, role: 'OWNER' | 'ADMIN' = 'OWNER'): Promise<void> {
  await stage.open('/dashboard/people', { ...TEAM, ...script }, role)
  await stage.page.locator('[data-id=usr_1]').waitFor()
}

/** What the row of a person offers, by `data-action`. */
async function offered(id: string): Promise<(string | null)[]> {
  const buttons = await stage.page.locator(`[data-id=${id}] [data-action]`).all()
  return await Promise.all(buttons.map((button) => button.getAttribute('data-action')))
}

async function press(id: string, action: string): Promise<void> {
  await stage.page.click(`[data-id=${id}] [data-action=${action}]`)
}

function said(text: string): Promise<void> {
  return stage.page.locator('.said', { hasText: text }).waitFor()
}

function bodyOf(what: string): unknown {
  return stage.asked.find((asked) => asked.what === what)?.body
}

inBrowser('people can be read by all in each language, light and dark, and fit 320 px', async (t) => {
  const script = { ...TEAM, 'POST /api/v1/users/usr_3/invite': { status: 201, body: { inviteUrl: LINK } } }
  const wrong = await stage.looks('/dashboard/people', script, async () => {
    await stage.page.locator('[data-id=ses_3]').waitFor()
    await stage.page.locator('[data-id=grt_2] summary').click()
    await stage.page.click('[data-action=new]')
    await press('usr_3', 'invite')
    await stage.page.locator('[data-secret]').waitFor()
  })
  t.deepEqual(wrong, [])
})

// [dashboard.people.1]
inBrowser('people stand in the list with role, status and when they were seen, and names are text', async (t) => {
  await open()
  t.is(await stage.page.innerText(`[data-id=usr_2] bdi >> nth=0`), BOB.name)
  t.is(await stage.page.locator('main img').count(), 0)
  t.is(await stage.page.getAttribute('[data-id=usr_3]', 'data-status'), 'INVITED')
  t.is(await stage.page.innerText('[data-id=usr_3] bdi >> nth=0'), CLEO.email, 'who has no name goes by the address')
  t.is(await stage.page.innerText('[data-id=usr_2] [data-role]'), 'Agent')
  t.is(await stage.page.locator('[data-id=usr_2] time').count(), 0)
  t.is(await stage.page.getAttribute('[data-id=usr_1] time', 'datetime'), ANA.lastSeenAt)
  t.true((await stage.page.innerText('[data-id=usr_1]')).includes('(you)'))
  await stage.open('/dashboard/people', TEAM, 'AGENT')
  await stage.page.locator('h1', { hasText: 'Your role may not see this' }).waitFor()
  t.is(await stage.page.locator('nav a[href="/dashboard/people"]').count(), 0)
})

// [dashboard.people.1] [people.owners.2]
inBrowser(
  'an owner may change everybody; an administrator is offered nothing that an owner alone may do',
  async (t) => {
    await open()
    t.deepEqual(await offered('usr_1'), ['edit', 'invite', 'disable', 'delete'])
    t.deepEqual(await offered('usr_4'), ['edit', 'enable', 'delete'], 'a link opens nothing for who is disabled')
    await open({}, 'ADMIN')
    t.deepEqual(await offered('usr_1'), [])
    t.is(await stage.page.innerText('[data-id=usr_1] [data-owners-only]'), 'Only an owner changes owners.')
    t.deepEqual(await offered('usr_2'), ['edit', 'invite', 'disable', 'delete'])
    await stage.page.click('[data-action=new]')
    const roles = await stage.page.locator('form[data-form=user] option').allInnerTexts()
    t.deepEqual(roles, ['Administrator', 'Agent', 'Analyst'])
  },
)

// [dashboard.people.2] [dashboard.people.3]
inBrowser('somebody is invited; the link is shown once, to be handed on', async (t) => {
  const made = { ...CLEO, id: 'usr_9', email: 'eve@acme.example', inviteUrl: LINK }
  await open({ 'POST /api/v1/users': { status: 201, body: made } })
  await stage.page.click('[data-action=new]')
  await stage.page.fill('form[data-form=user] [name=email]', ' eve@acme.example ')
  await stage.page.selectOption('form[data-form=user] [name=role]', 'ANALYST')
  await stage.page.locator('form .hint', { hasText: 'Reads figures' }).waitFor()
  stage.script({ 'GET /api/v1/users': { body: [...PEOPLE, made] } })
  await stage.page.click('form[data-form=user] [data-action=create]')
  await stage.page.locator('[data-id=usr_9]').waitFor()
  t.deepEqual(bodyOf('POST /api/v1/users'), { email: 'eve@acme.example', role: 'ANALYST' })
  t.is(await stage.page.innerText('[data-secret]'), LINK)
  t.true((await stage.page.innerText('.secret')).includes('the service sends no mail'))
  t.is(await stage.page.innerText(':focus'), 'Invitation of eve@acme.example')
  t.is(await stage.page.locator('form[data-form=user]').count(), 0)
  t.is(stage.page.url(), `${stage.origin}/dashboard/people`)
  await stage.page.click('[data-action=hide]')
  t.false((await stage.page.content()).includes(LINK))
})

// [dashboard.people.3]
inBrowser('a new link takes the place of the one that is shown; disabling takes it away', async (t) => {
  let made = 0
  await open({
    'POST /api/v1/users/usr_3/invite': () => ({ status: 201, body: { inviteUrl: `${LINK}${++made}` } }),
    'PATCH /api/v1/users/usr_3': { body: { ...CLEO, status: 'DISABLED' } },
  })
  await press('usr_3', 'invite')
  await stage.page.locator('[data-secret]', { hasText: `${LINK}1` }).waitFor()
  await press('usr_3', 'invite')
  await stage.page.locator('[data-secret]', { hasText: `${LINK}2` }).waitFor()
  t.is(await stage.page.locator('[data-secret]').count(), 1)
  await press('usr_3', 'disable')
  await said('is disabled, and signed out everywhere')
  t.is(await stage.page.locator('[data-secret]').count(), 0)
})

// [dashboard.people.2]
inBrowser('role and name are changed in a dialog; an empty name is none', async (t) => {
  await open({ 'PATCH /api/v1/users/usr_2': { body: { ...BOB, name: null, role: 'ADMIN' } } })
  await press('usr_2', 'edit')
  const form = stage.page.locator('dialog form[data-form=user]')
  t.is(await form.locator('[name=name]').inputValue(), BOB.name)
  t.is(await form.locator('[name=role]').inputValue(), 'AGENT')
  t.deepEqual(await stage.violations(), [])
  await form.locator('[name=name]').fill('')
  await form.locator('[name=role]').selectOption('ADMIN')
  stage.script({ 'GET /api/v1/users': { body: [ANA, { ...BOB, name: null, role: 'ADMIN' }] } })
  await form.locator('[data-action=save]').click()
  await stage.page.locator('[data-id=usr_2] [data-role=ADMIN]').waitFor()
  t.deepEqual(bodyOf('PATCH /api/v1/users/usr_2'), { name: null, role: 'ADMIN' })
  t.is(await stage.page.locator('dialog').count(), 0)
})

// [dashboard.people.4]
inBrowser('who is disabled may be enabled again, and who never set a password then needs a link', async (t) => {
  const answers = [{ status: 'ACTIVE' }, { status: 'INVITED' }]
  await open({ 'PATCH /api/v1/users/usr_4': () => ({ body: { ...PEOPLE[3], ...answers.shift() } }) })
  await press('usr_4', 'enable')
  await said('Dora may sign in again')
  t.deepEqual(bodyOf('PATCH /api/v1/users/usr_4'), { status: 'ACTIVE' })
  await press('usr_4', 'enable')
  await said('Dora has set no password yet')
  t.pass()
})

// [dashboard.people.4]
inBrowser('removing asks for the address of the person, and leaves the person in no list', async (t) => {
  await open({ 'DELETE /api/v1/users/usr_2': { body: { deleted: true, id: 'usr_2' } } })
  await press('usr_2', 'delete')
  const confirm = stage.page.locator('dialog [data-action=confirm]')
  await stage.page.fill('input[name=confirm]', 'bob@acme')
  t.true(await confirm.isDisabled())
  t.deepEqual(await stage.violations(), [])
  await stage.page.fill('input[name=confirm]', BOB.email)
  stage.script({ 'GET /api/v1/users': { body: [ANA] }, 'GET /api/grants': { body: { grants: [] } } })
  await confirm.click()
  await stage.page.locator('[data-id=usr_2]').waitFor({ state: 'detached' })
  await stage.page.locator('[data-id=grt_1]').waitFor({ state: 'detached' })
  await stage.page.locator('h2:focus', { hasText: 'Who may sign in' }).waitFor()
  t.pass()
})

// [dashboard.people.4]
inBrowser('what the service refuses about people is told in words of this page', async (t) => {
  const refused = (status: number, code: string) => ({ status, body: { error: 'internal words', code } })
  await open({
    'PATCH /api/v1/users/usr_1': refused(409, 'LAST_OWNER'),
    'POST /api/v1/users/usr_2/invite': refused(403, 'PERMISSION_DENIED'),
    'POST /api/v1/users': refused(409, 'USER_ALREADY_EXISTS'),
    'DELETE /api/v1/users/usr_1': refused(409, 'LAST_OWNER'),
  })
  const faults: string[] = []
  const take = async (code: string) => faults.push(await stage.page.innerText(`[data-code=${code}]`))
  await press('usr_1', 'disable')
  await take('LAST_OWNER')
  await press('usr_2', 'invite')
  await take('PERMISSION_DENIED')
  await stage.page.click('[data-action=new]')
  await stage.page.fill('form[data-form=user] [name=email]', BOB.email)
  await stage.page.click('form[data-form=user] [data-action=create]')
  await take('USER_ALREADY_EXISTS')
  await press('usr_1', 'delete')
  await stage.page.fill('input[name=confirm]', ANA.email)
  await stage.page.click('dialog [data-action=confirm]')
  await take('LAST_OWNER')
  const lastOwner = 'This is the last active owner of the account. Make somebody else an owner first.'
  t.deepEqual(faults, [
    lastOwner,
    'Only an owner makes or changes owners.',
    'Somebody has this e-mail address already, in this account or in another one.',
    lastOwner,
  ])
})

// [dashboard.people.5]
inBrowser('who changes the own role is offered from then on what the new role may do', async (t) => {
  await open({ 'PATCH /api/v1/users/usr_1': { body: { ...ANA, role: 'ADMIN' } } })
  await press('usr_1', 'edit')
  await stage.page.selectOption('dialog [name=role]', 'ADMIN')
  stage.script({ 'GET /api/session': { body: sessionOf('ADMIN') } })
  await stage.page.click('dialog [data-action=save]')
  await stage.page.locator('[data-id=usr_1] [data-owners-only]').waitFor()
  t.deepEqual(await offered('usr_1'), [])
})
