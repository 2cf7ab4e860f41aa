import { ad } from './ad.ts'
import { answerOf } from './answer-of.ts'
import { appWebhooks } from './app-webhooks.ts'
import { form } from './form.ts'
import { lead } from './lead.ts'
import { me } from './me.ts'
import { page } from './page.ts'

/** Kinds of objects that leads and ads are made of. */
export const LEAD_AD_KINDS = [
  answerOf(page),
  answerOf(form),
  answerOf(lead),
  answerOf(ad),
  answerOf(me),
  answerOf(appWebhooks),
]
