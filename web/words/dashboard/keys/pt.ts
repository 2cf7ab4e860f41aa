import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the keys. */
export const words: Like<typeof english> = {
  heading: 'Chaves',
  tenant: {
    heading: 'Chave da conta',
    text: 'Gerencia números, webhooks, pessoas e marca, e age como proprietário. Não envia mensagens.',
    none: 'A conta ainda não tem uma.',
    created: 'Criada',
    rotate: 'Trocar',
    ask: 'Trocar a chave da conta?',
    warning:
      'A chave antiga para na hora, seja o que for que a use. Todas as outras sessões da conta abertas por chave ou link terminam.',
    shown: 'Nova chave da conta',
  },
  numbers: {
    heading: 'Chaves de números',
    text: 'Cada número tem uma chave. Ela envia e lê só por esse número.',
    none: 'Ainda não há números, e por isso nenhuma chave deles.',
    name: 'Número',
    key: 'Chave',
    ends: (last4) => `termina em ${last4}`,
    legacy: 'Foi criada antes de as chaves poderem ser mostradas. Troque-a para ver uma.',
    reveal: 'Mostrar',
    hide: 'Ocultar',
    rotate: 'Trocar',
    ask: (name) => `Trocar a chave de ${name}?`,
    warning: 'A chave antiga para na hora, seja o que for que a use.',
    shown: (name) => `Nova chave de ${name}`,
  },
}
