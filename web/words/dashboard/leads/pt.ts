import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the leads. */
export const words: Like<typeof english> = {
  heading: 'Leads',
  none: 'Nenhum lead chegou a este número neste tempo. Os leads vêm de formulários de Páginas ligadas a ele.',
  codes: { FEATURE_NOT_SUPPORTED: 'Este número não recebe leads. Escolha outro número.' },
  person: 'Pessoa',
  noName: 'Sem nome',
  email: 'E-mail',
  phone: 'Telefone',
  form: 'Formulário',
  ad: 'Anúncio',
  organic: 'Sem anúncio',
  submitted: 'Enviado',
  noAd: 'Não conhecido',
  sent: 'Modelo',
  id: 'Id',
  redacted: 'Retido pela privacidade do número',
  sends: { none: 'Nenhum', pending: 'Será enviado', sent: 'Enviado', skipped: 'Não enviado', failed: 'Falhou' },
}
