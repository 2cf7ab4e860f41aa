import { words as list } from '../leads/en.ts'

/** English words of the page of a lead; the other languages have the same keys. */
export const words = {
  list,
  heading: 'Lead',
  above: 'All leads',
  withheld: 'Name, e-mail, phone and answers are withheld. Where it came from and what became of it stay.',
  adset: 'Ad set',
  campaign: 'Campaign',
  platform: 'Platform',
  platforms: { fb: 'Facebook', ig: 'Instagram' },
  came: 'Stored',
  sources: { webhook: '(as it was submitted)', backfill: '(imported)' },
  leadgenId: 'Id of the network',
  conversation: 'Open the conversation',
  sameForm: 'Leads of this form',
  answers: 'Answers',
  noAnswers: 'The form asked nothing.',
  noAnswer: 'No answer',
  erase: {
    action: 'Erase',
    ask: 'Erase this lead?',
    warning:
      'Name, e-mail, phone and answers are lost here, in its event and in the logs of webhooks. It is never imported again.',
    done: 'The lead is erased.',
  },
  codes: { LEAD_NOT_FOUND: 'This number has no such lead. It may belong to another number, or be erased.' },
}
