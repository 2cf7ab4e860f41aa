import { z } from 'zod'
import { TEXT_LENGTH } from '../../../domain/limits.ts'
import { LIST_ROWS } from '../../../domain/modes/list.ts'
import { AROUND_LENGTH, INTERACTIVE_TEXT_LENGTH, OFFICIAL_LABEL_LENGTH, URL_LENGTH } from '../../../domain/send-body.ts'
import { chars, shown } from '../shown-text.ts'

/** Our choice: characters of a name or an address of a place, and of the texts of a contact's card. */
const WORDS_LENGTH = 255
const PHONE_LENGTH = 40
const TYPE_LENGTH = 40
/** [message-verbs.modes.2]; our choice: as many values of a kind as cards. */
const CONTACTS = 10
const VALUES = 10
/** [message-verbs.modes.3]; upstream: characters of a row's id, and of a section's title. */
const ROW_TITLE_LENGTH = 24
const ROW_DESCRIPTION_LENGTH = 72
const ROW_ID_LENGTH = 200
/** Our choice: more code points than any emoji has. */
const EMOJI_LENGTH = 40
const MESSAGE_ID_LENGTH = 255
/** What phones of the device network take: characters of a poll's question and of an option. */
const QUESTION_LENGTH = 255
const OPTION_LENGTH = 100

const words = shown(WORDS_LENGTH).nullish()
const type = shown(TYPE_LENGTH).nullish()

const location = z
  .object({
    latitude: z.number().meta({ description: 'Degrees, -90 to 90' }),
    longitude: z.number().meta({ description: 'Degrees, -180 to 180' }),
    name: words,
    address: words,
  })
  .meta({ id: 'LocationSend' })

function several<T extends z.ZodType>(value: T) {
  return z.array(value).max(VALUES, `holds at most ${VALUES}`)
}

const email = shown(WORDS_LENGTH)
const url = shown(URL_LENGTH)
const phone = shown(PHONE_LENGTH).refine((text) => /\p{Nd}/u.test(text), 'must have digits')

const contact = z
  .object({
    name: z.object({ formatted: shown(WORDS_LENGTH), first: words, last: words }),
    phones: several(z.object({ phone, type })).min(1, 'holds at least 1 phone'),
    emails: several(z.union([email, z.object({ email, type })])).nullish(),
    org: z.union([shown(WORDS_LENGTH), z.object({ company: words, department: words, title: words })]).nullish(),
    urls: several(z.union([url, z.object({ url, type })])).nullish(),
  })
  .meta({ id: 'ContactSend' })

const row = z.object({
  id: shown(ROW_ID_LENGTH).meta({ description: 'Comes back with the choice' }),
  title: shown(ROW_TITLE_LENGTH),
  description: shown(ROW_DESCRIPTION_LENGTH).nullish(),
})

const list = z
  .object({
    text: shown(TEXT_LENGTH),
    button: shown(OFFICIAL_LABEL_LENGTH).meta({ description: 'Label of the button that opens the list' }),
    header: shown(AROUND_LENGTH).nullish(),
    footer: shown(AROUND_LENGTH).nullish(),
    sections: z
      .array(
        z.object({
          title: shown(ROW_TITLE_LENGTH).nullish().meta({ description: 'Needed where there are several sections' }),
          rows: z.array(row).min(1, 'holds at least 1 row').max(LIST_ROWS, `holds at most ${LIST_ROWS} rows`),
        }),
      )
      .min(1, 'holds at least 1 section')
      .max(LIST_ROWS, `holds at most ${LIST_ROWS} sections`),
  })
  .meta({ id: 'ListSend' })

const reaction = z
  .object({
    messageId: chars(MESSAGE_ID_LENGTH).meta({ description: 'Service id, correlationId or upstream id' }),
    emoji: z
      .string()
      .max(EMOJI_LENGTH, 'must be one emoji, or empty to take the reaction back')
      .meta({ description: 'One emoji; empty takes the reaction back' }),
  })
  .meta({ id: 'ReactionSend' })

const contactRequest = z.object({ text: shown(INTERACTIVE_TEXT_LENGTH) }).meta({ id: 'ContactRequestSend' })

const poll = z
  .object({
    question: shown(QUESTION_LENGTH),
    options: z.array(shown(OPTION_LENGTH)).min(2, 'needs 2 to 12 options').max(12, 'needs 2 to 12 options'),
    multiple: z.boolean().nullish().meta({ description: 'A person may choose several; one when absent' }),
  })
  .meta({ id: 'PollSend' })

/** The modes that are one object, by their fields ([message-verbs.modes.1] to [message-verbs.modes.6]). */
export const objectModes = {
  location: location.nullish().meta({ description: 'A place on the map' }),
  contacts: z
    .array(contact)
    .max(CONTACTS, `needs 1 to ${CONTACTS} contacts`)
    .nullish()
    .meta({ description: `Cards of 1 to ${CONTACTS} people` }),
  list: list.nullish().meta({
    description: `Rows to choose from, at most ${LIST_ROWS} over all sections, their titles and ids all different. UNOFFICIAL numbers: sent as numbered text where the network shows no lists, which \`notice\` says`,
  }),
  reaction: reaction.nullish().meta({
    description: 'Goes to the chat of its message: a destination may be left out, and must be that chat when given',
  }),
  contactRequest: contactRequest
    .nullish()
    .meta({ description: 'OFFICIAL numbers: asks a user who hides the number for it' }),
  poll: poll.nullish().meta({ description: 'UNOFFICIAL numbers: votes are told by message.poll_vote' }),
}
