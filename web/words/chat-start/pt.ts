import type { Like } from '../language.ts'
import type { words as english } from './en.ts'

export const words: Like<typeof english> = {
  from: 'Do número',
  to: 'Para o telefone',
  toHint: 'Com o código do país: +55 11 98888-7777',
  next: 'Continuar',
  back: 'Outro número',
  writeTo: (number) => `Para ${number}`,
  templateOnly: 'Só um modelo pode iniciar uma conversa a partir deste número.',
  needed: 'Escreva um telefone.',
  phone: {
    form: 'Isto não é um telefone: escreva de 8 a 15 dígitos com o código do país.',
    country: 'Comece com o código do país, que nunca começa com 0: +55 11 98888-7777, não 011 98888-7777.',
    zero: 'Deixe de fora o zero que só se disca dentro do país: +44 20 7946 0958, não +44 (0)20 7946 0958.',
  },
  faults: {
    network: 'Não foi possível chegar ao serviço. Tente de novo.',
    busy: 'Muita coisa ao mesmo tempo. Tente de novo daqui a pouco.',
    NUMBER_NOT_FOUND: 'Este número foi removido.',
    PERMISSION_DENIED: 'Você não pode iniciar conversas aqui.',
    TEMPLATE_NOT_FOUND: 'Este modelo não existe mais.',
    OFFICIAL_OUTSIDE_24H_WINDOW: 'Agora só um modelo pode ser enviado a esta pessoa.',
    other: 'A mensagem foi recusada.',
  },
}
