import type { AdAccount } from '../ads/ad-book.ts'
import { page } from '../http/fields.ts'
import { pickNested } from '../http/nested-fields.ts'
import type { ObjectKind } from './object.ts'

/** The token's holder: the ad accounts that are shared with it. */
export const me: ObjectKind<readonly AdAccount[]> = {
  find: ({ leadAds: { ads } }, { id, opened }) =>
    id === 'me' ? ads.accounts().filter((account) => opened.adAccounts.has(account.id)) : null,
  edges: {
    'GET adaccounts': ({ on, query, url }) => {
      const shown = on.map(({ id, name }) =>
        pickNested(
          { id, account_id: id.replace('act_', ''), name, account_status: 1 },
          query.get('fields'),
          ['id', 'account_id'],
          'AdAccount',
        ),
      )
      return { body: page(shown, query, url) }
    },
  },
}
