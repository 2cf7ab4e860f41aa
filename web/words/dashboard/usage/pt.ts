import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Portuguese words of usage and health. */
export const words: Like<typeof english> = {
  heading: 'Uso e saúde',
  attention: {
    heading: 'Precisa de atenção agora',
    none: 'Nada precisa de atenção.',
    webhookOff: {
      GONE: 'desligado: o endereço não existe mais',
      FAILING: 'desligado: falhou por tempo demais',
    },
    webhookFails: (count: number) =>
      count === 1 ? '1 entrega falhou nas últimas 24 horas' : `${count} entregas falharam nas últimas 24 horas`,
    webhook: 'Webhook',
    states: { CLOSE: 'não está conectado', CONNECTING: 'está conectando' },
    levels: {
      warning: 'recebeu um aviso da rede de aparelhos',
      restricted: 'está restrito pela rede de aparelhos',
    },
    notSendable: 'não pode enviar nada agora: a plataforma não aceita as mensagens dele',
    status: (status: string) => `está com o status ${status} na plataforma`,
    quality: (rating: string) => `está com a qualidade ${rating} na plataforma`,
    callsWait: 'ainda não pode ligar: a plataforma não entrega as chamadas dele',
    templates: 'Modelos',
    rejected: (count: number) => (count === 1 ? '1 modelo foi recusado' : `${count} modelos foram recusados`),
    disabled: (count: number) =>
      count === 1 ? '1 modelo está pausado ou desativado' : `${count} modelos estão pausados ou desativados`,
  },
  standing: {
    heading: 'Números',
    none: 'Ainda não há números.',
    number: 'Número',
    state: 'Estado',
    quality: 'Qualidade',
    limit: 'Limite de mensagens',
    states: { OPEN: 'Conectado', CONNECTING: 'Conectando', CLOSE: 'Não conectado', LOADING: 'Conectado, carregando' },
    levels: { ok: 'boa', warning: 'com aviso', restricted: 'restrita' },
    noQuality: 'Sem avaliação',
    noLimit: 'Limite não informado',
  },
}
