import test from 'ava'
import { embedLifeSuite } from '../helpers/embed-life.ts'
import { oauthLifeSuite } from '../helpers/oauth-life.ts'
import { countedTogetherSuite, peopleLifeSuite } from '../helpers/people-life.ts'
import { Service } from '../helpers/service.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { TEST_DATABASE_URL, TEST_REDIS_URL } from '../helpers/test-servers.ts'

if (TEST_DATABASE_URL === null || TEST_REDIS_URL === null) {
  test.skip('the end of an embed session, and what is changed of people and of grants, reaches other nodes (TEST_DATABASE_URL and TEST_REDIS_URL are not both set)', () => {})
} else {
  let service: Service
  let asked = ''
  const closing: (() => Promise<void>)[] = []

  test.before(async () => {
    service = await Service.start()
    closing.push(() => service.stop())
    const files = await temporaryDirectory()
    const beside = await service.startBeside(files.path)
    closing.push(files.remove, () => beside.kill('SIGTERM'))
    asked = `http://127.0.0.1:${(await beside.listening)['port']}`
  })

  test.after.always(async () => {
    for (const close of closing.toReversed()) await close()
  })

  embedLifeSuite(test, 'another node', () => ({ service, asked }))
  peopleLifeSuite(test, 'another node', () => ({ service, asked }))
  oauthLifeSuite(test, 'another node', () => ({ service, asked }))
  countedTogetherSuite(test, 'two nodes', () => ({ service, asked }))
}
