import { defineEntity, p } from '@mikro-orm/core'

/** Failed logins of one bucket, which the hash names. */
export const LoginFailuresEntity = defineEntity({
  name: 'LoginFailures',
  tableName: 'login_failures',
  indexes: [{ name: 'login_failures_over', properties: ['endsAt'] }],
  properties: {
    bucketHash: p.text().primary(),
    failedAt: p.array().columnType('timestamptz(3)[]'),
    endsAt: p.datetime(3),
  },
})
