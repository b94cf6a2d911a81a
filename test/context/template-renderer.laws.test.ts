import { fc, it } from '@fast-check/vitest';
import { Content, type ContentPart, Messages, templateRenderer } from 'message-store';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { renderTexts } from '../../src/context/render-messages.ts';
import { expectEqual, expectFrozen } from '../support/model-values.ts';

const any = arbitraries(fc);
const name = fc.constantFrom('a', 'b-1', 'größe', '$c', '0', '__proto__', 'constructor', 'length');
const literal = any.text.map((text) => text.replaceAll(/[{}]/g, ''));
const keep = templateRenderer({ missing: 'keep' });
const fill = (text: string, parameters: Readonly<Record<string, unknown>>, renderer = templateRenderer()) =>
  renderer.renderMessages(Messages.from(text), parameters).at(0)?.toString();
/** All of messages but the texts that are rendered. */
const withoutTexts = (messages: Messages) =>
  messages.map((message) => message.withContent(Content.of(...message.content.parts.map(withoutText))).toJSON());
const withoutText = (part: ContentPart) => (part.isTextPart() && part.hasText() ? part.withField('text', '') : part);

describe('any renderer', () => {
  it.prop([any.messages, any.jsonObject])(
    'leaves texts without delimiters as they are, the list too',
    (messages, parameters) => {
      const renderer = templateRenderer({ delimiters: ['\u0001<', '>\u0001'] });
      expect(renderer.renderMessages(messages, parameters)).toBe(messages);
    },
  );

  it.prop([fc.array(fc.tuple(literal, name)), literal, fc.dictionary(name, any.text)])(
    'inserts values as they are',
    (pieces, end, values) => {
      const markers = pieces.map(([text, key]) => `${text}{{${key}}}`).join('') + end;
      const written =
        pieces.map(([text, key]) => text + (Object.hasOwn(values, key) ? values[key] : `{{${key}}}`)).join('') + end;
      expect(fill(markers, values, keep)).toBe(written);
    },
  );

  it.prop([fc.array(fc.tuple(literal, name)), fc.dictionary(name, literal)])(
    'fills what it filled no further',
    (pieces, values) => {
      const once = fill(pieces.map(([text, key]) => `${text}{{ ${key} }}`).join(''), values, keep) ?? '';
      expect(fill(once, values, keep)).toBe(once);
    },
  );

  it.prop([fc.string({ unit: fc.constantFrom('{', '}', 'a', '.', ' ', '0', '%') }), any.jsonObject])(
    'that keeps what is missing never throws, whatever stands in the text',
    (text, parameters) => {
      for (const delimiters of [
        ['{{', '}}'],
        ['%', '%'],
        ['{', '}}'],
        ['{%', '%}'],
      ] as const)
        expect(fill(text, parameters, templateRenderer({ missing: 'keep', delimiters }))).toBeTypeOf('string');
    },
  );

  it.prop([any.messages, any.text])('changes nothing but texts', (messages, x) => {
    const withTexts = (end: string) => renderTexts(messages, (text) => text.replaceAll(/[{}]/g, '') + end);
    const rendered = templateRenderer().renderMessages(withTexts('{{x}}'), { x });
    expectEqual(rendered, withTexts(x));
    expectFrozen(rendered);
    expect(withoutTexts(rendered)).toEqual(withoutTexts(messages));
  });

  it.prop([
    fc
      .array(fc.constantFrom('constructor', 'prototype', '__proto__', 'toString', 'length', 'name', 'call'), {
        minLength: 1,
      })
      .map((keys) => keys.join('.')),
  ])('sees nothing of prototypes', (path) => {
    const parameters = { own: [], text: 'abc', user: {} };
    for (const key of ['', 'own.', 'text.', 'user.'])
      expect(fill(`{{${key}${path}}}`, parameters, keep)).toBe(`{{${key}${path}}}`);
  });
});
