import test from 'ava'
import { embedLifeSuite } from '../helpers/embed-life.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'

let service: Service

test.before(async () => {
  service = await joinService()
})

embedLifeSuite(test, 'one node', () => ({ service, asked: service.base }))
