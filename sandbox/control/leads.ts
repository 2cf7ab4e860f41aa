import { submissionSchema } from '../official/leads/lead-book.ts'
import type { OfficialPlatform } from '../official/platform/platform.ts'
import { findForm } from './pages.ts'
import { readNumber } from './read.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type Route } from './router.ts'

/** Routes that act as persons who submit forms. */
export function leadRoutes(official: OfficialPlatform): Route[] {
  const { leads } = official.leadAds
  return [
    {
      method: 'POST',
      path: '/control/peers/:peer/leads',
      answer: ({ params, body }) => {
        const person = readNumber(params['peer'])
        const submission = readBody(submissionSchema, body)
        const lead = leads.submit(findForm(official, submission.formId), person, submission)
        return json(201, { leadgenId: lead.id })
      },
    },
    {
      method: 'POST',
      path: '/control/official/leads/:leadgenId/notice',
      answer: ({ params }) => {
        const lead = leads.find(params['leadgenId'] ?? '')
        if (!lead) throw new ControlRefusal(404, 'LEAD_NOT_FOUND', 'There is no such lead')
        if (!leads.tell(lead))
          throw new ControlRefusal(409, 'NOT_SUBSCRIBED', 'Nobody is subscribed to leads of the Page')
        return json(202, { isSent: true })
      },
    },
  ]
}
