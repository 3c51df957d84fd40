import type { Pattern } from '../lib/domain.ts';

/**
 * Whether an event filter of Lambda lets a record through, or a rule of EventBridge an event: every field that the
 * pattern names holds one of the values that it gives, or a list with one of them. Of the language of filters this knows what the service's patterns use.
 */
export function matches(pattern: Pattern, record: unknown): boolean {
  return Object.entries(pattern).every(([field, wanted]) => {
    const value = (record as Record<string, unknown> | undefined)?.[field];
    if (!isRules(wanted)) return matches(wanted, value);
    return wanted.some((rule) => {
      if (typeof rule === 'string') return [value].flat().includes(rule);
      if ('prefix' in rule) return typeof value === 'string' && value.startsWith(rule.prefix);
      return value !== undefined;
    });
  });
}

function isRules(wanted: Pattern[string]): wanted is Exclude<Pattern[string], Pattern> {
  return Array.isArray(wanted);
}
