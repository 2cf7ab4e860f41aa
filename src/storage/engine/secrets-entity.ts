import { defineEntity, p } from '@mikro-orm/core'

/** A secret of the installation, made once, sealed. */
export const InstallationSecretEntity = defineEntity({
  name: 'InstallationSecret',
  tableName: 'installation_secrets',
  properties: {
    name: p.text().primary(),
    sealed: p.text(),
  },
})
