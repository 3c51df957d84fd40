/** Cause and remedy of the errors of captchas. */
export const captchaExplanations = {
  captcha_required: {
    cause:
      'The project asks for a captcha here, always or after some failures, and the request has no `captcha_token`. `provider` and `site_key` say which one to show.',
    remedy: 'Show it, and send the request again with the token that it gives as `captcha_token`.',
  },
  captcha_invalid: {
    cause:
      'The provider does not accept the token: it was used, has expired or was made up; or it is of a page or an action that the project does not expect, or its score is too low.',
    remedy: 'Reset the captcha on the page, and send the request again with a new token.',
  },
};
